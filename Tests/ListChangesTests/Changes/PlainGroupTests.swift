import ListChanges
import Testing

@Suite struct PlainGroupTests {
    private var before: Mappings {
        var mappings = Mappings(groups: ["A", "B"])
        mappings.update(counts: ["A": 3, "B": 2])
        return mappings
    }

    private func key(_ name: String) -> RowKey { RowKey(collection: "", key: name) }

    @Test func aMoveBetweenGroupsIsOneChange() throws {
        let (after, outcome) = try before.advanced(by: [
            .deleteRow(group: "A", index: 0, key: key("k1")), .insertRow(group: "B", index: 2, key: key("k1")),
        ])
        #expect(outcome.changeSet?.description == "move [0,0] -> [1,2] k1 (object, metadata)")
        #expect(after.numberOfItems(inGroup: "A") == 2)
        #expect(after.numberOfItems(inGroup: "B") == 3)
    }

    @Test func aLogWithoutOperationsChangesNothing() throws {
        let (after, outcome) = try before.advanced(by: [])
        #expect(outcome == .none)
        #expect(after.counts(["A", "B"]) == [3, 2])
    }
}

extension Mappings {
    func counts(_ groups: [String]) -> [Int] { groups.map { fullCount(inGroup: $0) } }
}
