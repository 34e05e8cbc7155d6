import ListChanges
import Testing

/// A log that cannot lead from one snapshot to the other is detected, with a description of the error.
@Suite struct LogMismatchTests {
    private var before: Mappings {
        var mappings = Mappings(groups: ["A"])
        mappings.update(counts: ["A": 2])
        return mappings
    }

    private func key(_ name: String) -> RowKey { RowKey(collection: "", key: name) }

    @Test func mappingsThatWereNeverUpdatedCannotAnswer() {
        #expect(throws: LogMismatch.neverUpdated) { try Mappings(groups: ["A"]).advanced(by: []) }
    }

    @Test(arguments: [-1, 3, Int.max, Int.min])
    func anInsertBeyondTheGroupIsRefused(index: Int) {
        let expected = LogMismatch.indexOutOfRange(position: 0, group: "A", index: index, count: 2)
        #expect(throws: expected) {
            try before.advanced(by: [.insertRow(group: "A", index: index, key: key("x"))])
        }
    }

    @Test(arguments: [-1, 2])
    func aDeleteOrAnUpdateBeyondTheGroupIsRefused(index: Int) {
        let expected = LogMismatch.indexOutOfRange(position: 0, group: "A", index: index, count: 2)
        #expect(throws: expected) {
            try before.advanced(by: [.deleteRow(group: "A", index: index, key: key("x"))])
        }
        #expect(throws: expected) {
            try before.advanced(by: [.updateRow(group: "A", index: index, key: key("x"), flags: .object)])
        }
    }

    @Test func anotherRowThanTheLogItselfPutThereIsRefused() {
        #expect(throws: LogMismatch.wrongRow(position: 1, group: "A", index: 0, named: key("y"), found: key("x"))) {
            try before.advanced(by: [
                .insertRow(group: "A", index: 0, key: key("x")), .deleteRow(group: "A", index: 0, key: key("y")),
            ])
        }
    }

    @Test func countsThatDoNotFollowAreRefused() {
        #expect(throws: LogMismatch.countsDisagree(group: "A", expected: 1, given: 2)) {
            try before.advanced(by: [.deleteRow(group: "A", index: 0, key: key("x"))], counts: ["A": 2])
        }
        #expect(throws: LogMismatch.countsDisagree(group: "A", expected: 2, given: 3)) {
            try before.advanced(by: [], counts: ["A": 3])
        }
    }

    @Test func theTextSaysWhatIsWrong() {
        let mismatch = LogMismatch.countsDisagree(group: "A", expected: 1, given: 2)
        #expect("\(mismatch)" == "Group \"A\" should have 1 rows after the log, but has 2.")
    }

    @Test func aGroupOutsideTheMappingsMayDoAnything() throws {
        let log = [RawOperation.deleteRow(group: "Z", index: 99, key: key("x"))]
        #expect(try before.advanced(by: log).outcome == .none)
    }
}
