import ListChanges
import Testing

/// Applying changes equals what a table view does, and fails where a table view throws an exception.
@Suite struct ApplyingTests {
    private let before = ListSnapshot(sections: [
        ListSnapshot.Section(group: "A", rows: ["a", "b", "c"].map { RowKey(collection: "", key: $0) }),
        ListSnapshot.Section(group: "B", rows: [RowKey(collection: "", key: "d")]),
    ])
    private let x = RowKey(collection: "", key: "x")

    private func row(_ type: ChangeType, _ old: (Int, Int)?, _ new: (Int, Int)?, key: RowKey? = nil) -> RowChange {
        RowChange(
            type: type, flags: .object, key: key, before: old.map { RowPath(section: $0.0, row: $0.1) },
            after: new.map { RowPath(section: $0.0, row: $0.1) }, originalGroup: nil, finalGroup: nil)
    }

    private func apply(_ rows: [RowChange], _ sections: [SectionChange] = []) throws -> String {
        let after = try ChangeSet(sectionChanges: sections, rowChanges: rows).applying(to: before) { _ in x }
        return after.sections.map { "\($0.group): \($0.rows.map(\.key).joined(separator: " "))" }
            .joined(separator: ", ")
    }

    @Test func rowsThatAreNotNamedKeepTheirOrderAndMakeRoom() throws {
        #expect(try apply([row(.delete, (0, 0), nil), row(.insert, nil, (0, 1))]) == "A: b x c, B: d")
        #expect(try apply([row(.move, (0, 2), (0, 0)), row(.update, (0, 0), (0, 1))]) == "A: c a b, B: d")
    }

    @Test func rowsMoveOutOfSectionsThatGoAndIntoSectionsThatCome() throws {
        let sections = [
            SectionChange(type: .delete, index: 0, group: "A"), SectionChange(type: .insert, index: 1, group: "C"),
        ]
        #expect(try apply([row(.move, (0, 1), (1, 0)), row(.delete, (0, 0), nil)], sections) == "B: d, C: b")
    }

    @Test(arguments: [
        [(ChangeType.delete, 9, 0)], [(.delete, 0, 3)], [(.delete, 0, 1), (.delete, 0, 1)],
        [(.update, 0, 1), (.delete, 0, 1)], [(.delete, 0, 1), (.update, 0, 1)], [(.update, 0, 1), (.update, 0, 1)],
    ])
    func aRowThatIsNotThereOrIsTakenAlreadyIsRefused(changes: [(ChangeType, Int, Int)]) {
        let changes = changes.map { row($0, ($1, $2), $0 == .update ? ($1, $2) : nil) }
        #expect(throws: ChangeSetMisfit.row(changes.last!)) { try apply(changes) }
    }

    @Test func aPlaceThatIsNotThereOrIsTakenAlreadyIsRefused() {
        let twice = row(.insert, nil, (0, 1))
        let beyond = row(.insert, nil, (1, 2))
        let nowhere = row(.insert, nil, (2, 0))
        #expect(throws: ChangeSetMisfit.row(twice)) { try apply([twice, twice]) }
        #expect(throws: ChangeSetMisfit.row(beyond)) { try apply([beyond]) }
        #expect(throws: ChangeSetMisfit.row(nowhere)) { try apply([nowhere]) }
    }

    @Test func anotherRowThanTheOneThatIsThereIsRefused() {
        let change = row(.delete, (0, 0), nil, key: x)
        #expect(throws: ChangeSetMisfit.identity(change, found: before.sections[0].rows[0])) { try apply([change]) }
    }

    @Test func anUpdateThatSaysTheWrongPlaceIsRefused() {
        let change = row(.update, (0, 0), (0, 1))
        #expect(throws: ChangeSetMisfit.identity(change, found: before.sections[0].rows[1])) { try apply([change]) }
    }

    @Test(arguments: [
        SectionChange(type: .delete, index: 2, group: "C"), SectionChange(type: .delete, index: 0, group: "B"),
        SectionChange(type: .insert, index: 3, group: "C"), SectionChange(type: .move, index: 0, group: "A"),
    ])
    func aSectionThatCannotBeIsRefused(change: SectionChange) {
        #expect(throws: ChangeSetMisfit.section(change)) { try apply([], [change]) }
    }

    @Test func twoSectionsInOnePlaceAreRefused() {
        let change = SectionChange(type: .insert, index: 0, group: "C")
        #expect(throws: ChangeSetMisfit.section(change)) { try apply([], [change, change]) }
    }

    @Test func theTextSaysWhatIsWrong() {
        let misfit = ChangeSetMisfit.identity(row(.delete, (0, 0), nil, key: x), found: before.sections[0].rows[0])
        #expect("\(misfit)" == "The row that is there is a, but the change says: delete [0,0] x (object)")
    }
}
