import ListChanges
import Testing

/// Groups that appear and disappear with a filter.
@Suite struct DynamicGroupTests {
    private func mappings(
        _ counts: KeyValuePairs<String, Int>, setUp: (inout Mappings) -> Void = { _ in }
    ) -> Mappings {
        var mappings = Mappings.withDynamicGroups()
        setUp(&mappings)
        mappings.update(groups: counts.map(\.key), counts: Dictionary(uniqueKeysWithValues: counts.map { ($0, $1) }))
        return mappings
    }

    private func key(_ name: String) -> RowKey { RowKey(collection: "", key: name) }

    @Test func aGroupThatAppearsIsInsertedWithAllItsRows() throws {
        let (_, outcome) = try mappings(["B": 1]).advanced(
            by: [
                .insertSection(group: "A"), .insertRow(group: "A", index: 0, key: key("x")),
                .insertRow(group: "A", index: 1, key: key("y")), .deleteRow(group: "A", index: 0, key: key("x")),
            ],
            groups: ["A", "B"], counts: ["A": 1, "B": 1])
        #expect(
            outcome.changeSet?.description == """
                insert section 0 A
                insert [0,0] y (object, metadata)
                """)
    }

    @Test func aGroupThatAFilterLetsInBringsTheRowsThatItHadAllAlong() throws {
        let (after, outcome) = try mappings(["B": 1]).advanced(by: [], groups: ["A", "B"], counts: ["A": 2, "B": 1])
        #expect(
            outcome.changeSet?.description == """
                insert section 0 A
                insert [0,1] (object, metadata)
                insert [0,0] (object, metadata)
                """)
        #expect(after.visibleGroups == ["A", "B"])
    }

    @Test func aGroupThatVanishesIsDeletedWithAllItsRows() throws {
        let (after, outcome) = try mappings(["A": 2, "B": 1]).advanced(
            by: [
                .insertRow(group: "A", index: 0, key: key("x")),
                .updateRow(group: "A", index: 1, key: key("a"), flags: .object),
            ],
            groups: ["B"], counts: ["B": 1])
        #expect(
            outcome.changeSet?.description == """
                delete section 0 A
                delete [0,0] a (object)
                delete [0,1] (object, metadata)
                """)
        #expect(after.allGroups == ["B"])
    }

    @Test func aRowThatPassesThroughAHiddenGroupIsAMove() throws {
        let (_, outcome) = try mappings(["A": 1, "B": 0]).advanced(
            by: [
                .deleteRow(group: "A", index: 0, key: key("a")), .insertRow(group: "Z", index: 0, key: key("a")),
                .deleteRow(group: "Z", index: 0, key: key("a")), .insertRow(group: "B", index: 0, key: key("a")),
            ],
            groups: ["A", "B"])
        #expect(outcome.changeSet?.description == "move [0,0] -> [1,0] a (object, metadata)")
    }

    @Test func anotherOrderOfGroupsIsAReload() throws {
        let (after, outcome) = try mappings(["A": 1, "B": 1]).advanced(by: [], groups: ["B", "A"])
        #expect(outcome == .reload)
        #expect(after.visibleGroups == ["B", "A"])
    }

    @Test func theOrderOfGroupsThatAreNotShownDoesNotMatter() throws {
        let before = mappings(["A": 1, "B": 0]) { $0.setIsDynamicSectionForAllGroups(true) }
        #expect(try before.advanced(by: [], groups: ["B", "A"]).outcome == .none)
    }

    @Test func setupWaitsForItsGroup() throws {
        let before = mappings(["B": 1]) { $0.setIsReversed(true, forGroup: "A") }
        let (after, _) = try before.advanced(
            by: [
                .insertRow(group: "A", index: 0, key: key("x")), .insertRow(group: "A", index: 1, key: key("y")),
            ],
            groups: ["A", "B"])
        #expect(after.index(forRow: 0, inGroup: "A") == 1)
    }

    @Test func aRangeOpensAnewForAGroupThatAFilterLetsInAgain() throws {
        let range = RangeOptions.flexible(length: 2, offset: 1, from: .end)
        let before = mappings(["A": 6]) { $0.setRangeOptions(range, forGroup: "A") }
        let hidden = try before.advanced(by: [], groups: []).after
        #expect(hidden.numberOfItems(inGroup: "A") == 0)
        let (after, _) = try hidden.advanced(by: [], groups: ["A"], counts: ["A": 6])
        #expect(after.rangeOptions(forGroup: "A")?.length == 2)
        #expect(after.rangeOptions(forGroup: "A")?.offset == 1)
    }
}
