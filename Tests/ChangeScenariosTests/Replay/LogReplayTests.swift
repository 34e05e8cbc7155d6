import Testing

@testable import ChangeScenarios

@Suite struct LogReplayTests {
    @Test func theResultHasTheDocumentedFields() throws {
        let result = try replay(
            """
            {"id": "log-1", "mappings": {"groups": ["A", "B"]}, "counts": {"A": 5, "B": 0},
             "log": [{"op": "insertRow", "group": "A", "index": 5, "key": "k9"},
                     {"op": "deleteRow", "group": "A", "index": 0, "key": "k1"},
                     {"op": "updateRow", "group": "A", "index": 2, "key": "k3", "changes": ["object"]},
                     {"op": "insertSection", "group": "B"},
                     {"op": "insertRow", "group": "B", "index": 0, "key": "k7", "collection": "other"}],
             "finalCounts": {"A": 5, "B": 1}}
            """)
        #expect(
            result == """
                {"sectionChanges":[],"rowChanges":[\
                {"type":"insert","key":"k9","changes":["object","metadata"],"newIndexPath":[0,4],"finalGroup":"A"},\
                {"type":"delete","key":"k1","changes":["object","metadata"],"indexPath":[0,0],"originalGroup":"A"},\
                {"type":"update","key":"k3","changes":["object"],"indexPath":[0,3],"originalGroup":"A","finalPath":[0,2]},\
                {"type":"insert","key":"other/k7","changes":["object","metadata"],"newIndexPath":[1,0],"finalGroup":"B"}],\
                "ranges":{},"visibleGroups":["A","B"],"numberOfItems":{"A":5,"B":1},"outcome":"changes"}
                """)
    }

    @Test func anEmptyLogTellsTheState() throws {
        let result = try replay(
            """
            {"mappings": {"groups": ["A", "B"], "config": [{"do": "dynamicSection", "group": "B", "value": true},
              {"do": "range", "group": "A", "kind": "flexible", "length": 3, "offset": 1, "from": "end"}]},
             "counts": {"A": 5, "B": 0}, "log": []}
            """)
        #expect(
            result == """
                {"sectionChanges":[],"rowChanges":[],"ranges":{"A":{"length":3,"offset":1,"from":"end"}},\
                "visibleGroups":["A"],"numberOfItems":{"A":3,"B":0},"outcome":"none"}
                """)
    }

    @Test func theConsolidatedNameIsCountedToo() throws {
        let result = try replay(
            """
            {"mappings": {"groups": ["A", "B"], "config": [{"do": "consolidate", "threshold": 4, "name": "all"}]},
             "counts": {"A": 1, "B": 2}, "log": []}
            """)
        #expect(
            result == """
                {"sectionChanges":[],"rowChanges":[],"ranges":{},"visibleGroups":["all"],\
                "numberOfItems":{"A":1,"B":2,"all":3},"consolidated":true,"outcome":"none"}
                """)
    }

    @Test func dynamicGroupsComeAndGoWithTheirRows() throws {
        let result = try replay(
            """
            {"mappings": {"dynamicGroups": true, "groups": ["A", "B", "C"], "groupSort": "desc"},
             "counts": {"A": 1, "C": 1, "Z": 4},
             "log": [{"op": "deleteRow", "group": "A", "index": 0, "key": "k1"}, {"op": "deleteSection", "group": "A"},
                     {"op": "insertSection", "group": "B"}, {"op": "insertRow", "group": "B", "index": 0, "key": "k1"}]}
            """)
        #expect(
            result == """
                {"sectionChanges":[{"type":"delete","section":1,"group":"A"},{"type":"insert","section":1,"group":"B"}],\
                "rowChanges":[{"type":"move","key":"k1","changes":["object","metadata"],"indexPath":[1,0],\
                "originalGroup":"A","newIndexPath":[1,0],"finalGroup":"B"}],\
                "ranges":{},"visibleGroups":["C","B"],"numberOfItems":{"C":1,"B":1},"outcome":"changes"}
                """)
    }

    @Test func configurationMayComeAfterTheUpdate() throws {
        let config = #""config":[{"do":"range","group":"A","kind":"fixed","length":3,"offset":0,"from":"end"}]"#
        for late in ["true", "false"] {
            let result = try replay(
                #"{"mappings":{"groups":["A"],\#(config),"configAfterUpdate":\#(late)},"counts":{"A":5},"log":[]}"#)
            #expect(result.contains(#""numberOfItems":{"A":3}"#))
        }
    }

    @Test(arguments: ["fixed", "flexible"], ["beginning", "end"])
    func theLargestNumbersAreFarAwayAndNothingElse(kind: String, from: String) throws {
        let largest = "\(Int.max)"
        let result = try replay(
            """
            {"mappings": {"groups": ["A"], "config": [
              {"do": "dependencies", "group": "A", "offsets": [\(largest), \(Int.min), 1]},
              {"do": "range", "group": "A", "kind": "\(kind)", "length": \(largest), "offset": \(largest),
               "from": "\(from)", "max": \(largest), "min": \(largest)},
              {"do": "consolidate", "threshold": \(Int.min), "name": "all"}]},
             "counts": {"A": 2}, "log": [{"op": "insertRow", "group": "A", "index": 1, "key": "k"}]}
            """)
        // A fixed range is at a place without rows; a flexible one takes all rows to have its least length.
        #expect(result.contains(kind == "fixed" ? #""numberOfItems":{"A":0}"# : #""numberOfItems":{"A":3}"#))
    }

    private func replay(_ text: String) throws -> String {
        guard case .log(let scenario) = try Scenario(json: JSON(text: text)) else { return "no log scenario" }
        return try scenario.replayed().json.description
    }
}
