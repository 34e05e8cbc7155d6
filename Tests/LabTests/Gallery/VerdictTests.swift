import ListChanges
import Testing

@testable import AnimationLab

@Suite struct VerdictTests {
    @Test func whatIsRightIsExact() {
        let applied = AppliedChanges(ChangeSet(), to: list("A:a b"), after: list("A:a b"))
        #expect(applied.verdict == .exact && applied.rows == list("A:a b") && applied.wrongPaths == [])
    }

    @Test func theFirstDifferenceIsNamed() {
        #expect(verdict("A:a", "A:a|B:b") == .sectionCount(1, instead: 2))
        #expect(verdict("A:a", "B:a") == .group("A", section: 0, instead: "B"))
        #expect(verdict("A:a|B:b", "A:a|B:b c") == .rowCount(1, section: 1, instead: 2))
        #expect(verdict("A:a b", "A:a c") == .wrongRow(.lab("b"), path(0, 1), instead: .lab("c")))
    }

    @Test func theWrongPositionsAreThoseThatDiffer() {
        #expect(
            AppliedChanges(ChangeSet(), to: list("A:a b c"), after: list("A:c b")).wrongPaths == [
                path(0, 0), path(0, 2),
            ])
        #expect(AppliedChanges(ChangeSet(), to: list("A:a"), after: list("")).wrongPaths == [path(0, 0)])
    }

    @Test func aPositionThatIsNotThereIsAMisfit() {
        let change = RowChange(
            type: .delete, flags: .object, key: nil, before: path(0, -1), after: nil, originalGroup: "A",
            finalGroup: nil)
        let applied = AppliedChanges(ChangeSet(rowChanges: [change]), to: list("A:a"), after: list("A:a"))
        #expect(applied.verdict == .misfit(.row(change)) && applied.rows == nil)
        #expect(applied.verdict.path == path(0, -1))
    }

    @Test func aRowThatACompleteAnswerNamesHasToBeNamed() {
        let needed = ChangeSet(rowChanges: [
            RowChange(
                type: .update, flags: .dependency, key: nil, before: path(0, 1), after: path(0, 1), originalGroup: "A",
                finalGroup: "A")
        ])
        let (before, after) = (list("A:a b"), list("A:a b"))
        #expect(
            AppliedChanges(ChangeSet(), to: before, after: after, needed: needed).verdict
                == .unreported(.lab("b"), path(0, 1)))
        #expect(AppliedChanges(needed, to: before, after: after, needed: needed).verdict == .exact)
    }

    private func verdict(_ before: String, _ after: String) -> Verdict {
        AppliedChanges(ChangeSet(), to: list(before), after: list(after)).verdict
    }

    private func path(_ section: Int, _ row: Int) -> RowPath { RowPath(section: section, row: row) }

    /// `A:a b|B:c` are two sections.
    private func list(_ text: String) -> ListSnapshot {
        ListSnapshot(
            sections: text.split(separator: "|").map { section in
                let parts = section.split(separator: ":")
                return ListSnapshot.Section(
                    group: String(parts[0]), rows: parts[1].split(separator: " ").map { .lab(String($0)) })
            })
    }
}
