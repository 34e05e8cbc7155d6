import Testing

@testable import ChangeScenarios

@Suite struct DatabaseReplayTests {
    private static let text = """
        {"id": "small", "mappings": {"groups": ["A", "B"], "config": [{"do": "dynamicSection", "group": "B", "value": true}]},
         "initial": [{"op": "set", "key": "k1", "group": "A", "sort": 2, "text": "t"},
                     {"op": "set", "key": "k2", "group": "A", "sort": 1, "text": "t"}],
         "steps": [{"commits": [[{"op": "set", "key": "k2", "group": "B", "sort": 1, "text": "t"}],
                                [{"op": "touch", "key": "k1"}]]},
                   {"reconfigure": [{"do": "reverse", "group": "A", "value": true}],
                    "commits": [[{"op": "set", "key": "n", "collection": "other", "group": "A", "sort": 9, "text": "t"}]]},
                   {"commits": [[{"op": "touch", "key": "absent"}], []]}]}
        """

    @Test func theResultHasTheDocumentedFields() throws {
        #expect(
            try replay(Self.text) == """
                {"initial":{"sections":[{"group":"A","rows":["k2","k1"]}],"groups":["A","B"],"counts":{"A":2,"B":0},\
                "ranges":{}},"steps":[\
                {"sections":[{"group":"A","rows":["k1"]},{"group":"B","rows":["k2"]}],"groups":["A","B"],\
                "counts":{"A":1,"B":1},"ranges":{},"sectionChanges":[{"type":"insert","section":1,"group":"B"}],\
                "rowChanges":[{"type":"move","key":"k2","changes":["object","metadata"],"indexPath":[0,0],\
                "originalGroup":"A","newIndexPath":[1,0],"finalGroup":"B"},\
                {"type":"update","key":"k1","changes":["object"],"indexPath":[0,1],"originalGroup":"A","finalPath":[0,0]}],\
                "hasChanges":true,"notifications":2,"outcome":"changes"},\
                {"before":{"sections":[{"group":"A","rows":["k1"]},{"group":"B","rows":["k2"]}],"groups":["A","B"],\
                "counts":{"A":1,"B":1},"ranges":{}},\
                "sections":[{"group":"A","rows":["other/n","k1"]},{"group":"B","rows":["k2"]}],"groups":["A","B"],\
                "counts":{"A":2,"B":1},"ranges":{},"sectionChanges":[],"rowChanges":[{"type":"insert","key":"other/n",\
                "changes":["object","metadata"],"newIndexPath":[0,0],"finalGroup":"A"}],\
                "hasChanges":true,"notifications":1,"outcome":"changes"},\
                {"sections":[{"group":"A","rows":["other/n","k1"]},{"group":"B","rows":["k2"]}],"groups":["A","B"],\
                "counts":{"A":2,"B":1},"ranges":{},"sectionChanges":[],"rowChanges":[],\
                "hasChanges":false,"notifications":0,"outcome":"none"}]}
                """)
    }

    @Test func aViewInMemoryTellsTheSame() throws {
        let inMemory = Self.text.replacing("\"mappings\"", with: "\"persistent\": false, \"mappings\"")
        #expect(try replay(inMemory) == replay(Self.text))
    }

    @Test func oneScenarioGivesOneText() throws {
        for seed in 1...10 as ClosedRange<UInt64> {
            let text = DatabaseScenario.random(seed: seed).json.description
            #expect(try replay(text) == replay(text), "seed \(seed)")
        }
    }

    private func replay(_ text: String) throws -> String {
        guard case .database(let scenario) = try Scenario(json: JSON(text: text)) else { return "no database scenario" }
        return try withScratchFolder { folder in
            try folder.withDatabaseURL { try scenario.replayed(at: $0).json.description }
        }
    }
}
