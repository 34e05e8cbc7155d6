import ListChanges
import Testing

@testable import TableModel

@Suite struct MisfitTests {
    private let before = Rows([.init("A", [.init("a"), .init("b"), .init("c")]), .init("B", [.init("d")])])

    @Test func aFittingChangeSetIsNoMisfit() {
        var screen = Screen(before)
        #expect(screen.change(to: Rows([.init("A", [.init("a"), .init("c")]), .init("B", [.init("d")])])) == nil)
    }

    @Test func aMissingDeleteIsFound() {
        let misfit = apply(ChangeSet(), Rows([.init("A", [.init("a"), .init("c")]), .init("B", [.init("d")])]))
        #expect(misfit?.reason == "section 0 should have 3 rows and has 2")
        #expect(misfit?.countsBefore == [3, 1] && misfit?.countsAfter == [2, 1])
    }

    @Test func aMissingInsertIsFound() {
        let change = row(.delete, "b", RowPath(section: 0, row: 1), nil)
        let misfit = apply(ChangeSet(rowChanges: [change]), before)
        #expect(misfit?.reason == "section 0 should have 2 rows and has 3")
    }

    @Test func aMissingMoveIsFound() {
        let misfit = apply(
            ChangeSet(), Rows([.init("A", [.init("c"), .init("a"), .init("b")]), .init("B", [.init("d")])]))
        #expect(misfit?.reason == "[0,0] should be a and is c")
    }

    @Test func aMissingSectionChangeIsFound() {
        let misfit = apply(ChangeSet(), Rows([.init("A", [.init("a")])]))
        #expect(misfit?.reason == "there should be 2 sections and are 1")
    }

    @Test func aWrongKeyIsFound() {
        let change = row(.update, "x", RowPath(section: 0, row: 1), RowPath(section: 0, row: 1))
        #expect(apply(ChangeSet(rowChanges: [change]), before)?.reason == "[0,1] should be x and is b")
    }

    @Test func aRowNamedTwiceIsFound() {
        let change = row(.delete, "b", RowPath(section: 0, row: 1), nil)
        #expect(apply(ChangeSet(rowChanges: [change, change]), before)?.reason == "a row of section 0 is named twice")
    }

    @Test func pathsThatAreNowhereAreFound() {
        for path in [RowPath(section: 7, row: 0), RowPath(section: 0, row: 9), RowPath(section: -1, row: -1)] {
            for type: ChangeType in [.delete, .insert, .update, .move] {
                let change = row(type, nil, type == .insert ? nil : path, type == .delete ? nil : path)
                #expect(apply(ChangeSet(rowChanges: [change]), before) != nil, "\(type) \(path)")
            }
            let section = SectionChange(type: .delete, index: path.section == 0 ? 9 : path.section, group: "A")
            #expect(apply(ChangeSet(sectionChanges: [section]), before) != nil)
        }
    }

    @Test func anUpdateThatIsElsewhereAfterwardsIsFound() {
        let change = row(.update, nil, RowPath(section: 0, row: 1), RowPath(section: 0, row: 2))
        #expect(apply(ChangeSet(rowChanges: [change]), before)?.reason == "the updated row [0,1] should be at [0,1]")
    }

    /// For any input, the rows afterwards are shown: never stale ones, never a crash.
    @Test func nonsenseIsShownRightAllTheSame() {
        var random = SplitMix64(seed: 99)
        var screen = Screen(.random(using: &random, hasHeaders: true), width: 12)
        var misfits = 0
        for round in 0..<2000 {
            let after = screen.rows.mutated(using: &random)
            var changes = screen.rows.changes(to: after)
            spoil(&changes, &random)
            let misfit = screen.table.apply(changes, source: after, at: screen.time)
            screen.rows = after
            if misfit != nil { misfits += 1 }
            screen.wait(Double(random.below(400)))
            if random.percent(10) { screen.perform(.selectNext(2)) }
            var resting = screen
            resting.wait()
            guard misfit != nil else { continue }
            #expect(resting.frame() == resting.drawnAfresh(), "round \(round)")
        }
        #expect(misfits > 1000)
    }

    private func apply(_ changes: ChangeSet, _ after: Rows) -> Misfit? {
        var screen = Screen(before, height: 7)
        let misfit = screen.table.apply(changes, source: after, at: screen.time)
        screen.rows = after
        #expect(screen.frame() == screen.drawnAfresh())
        return misfit
    }

    private func row(_ type: ChangeType, _ key: String?, _ before: RowPath?, _ after: RowPath?) -> RowChange {
        RowChange(
            type: type, flags: [], key: key.map { RowKey(collection: "", key: $0) }, before: before, after: after,
            originalGroup: nil, finalGroup: nil)
    }

    private func spoil(_ changes: inout ChangeSet, _ random: inout SplitMix64) {
        if random.percent(50), !changes.rowChanges.isEmpty {
            let index = random.below(changes.rowChanges.count)
            if random.percent(40) {
                changes.rowChanges.remove(at: index)
            } else {
                let path = RowPath(section: random.below(6) - 1, row: random.below(9) - 1)
                if random.percent(50) {
                    changes.rowChanges[index].before = path
                } else {
                    changes.rowChanges[index].after = path
                }
            }
        } else {
            let type: ChangeType = random.percent(50) ? .insert : .delete
            changes.sectionChanges.append(SectionChange(type: type, index: random.below(5) - 1, group: "?"))
        }
    }
}
