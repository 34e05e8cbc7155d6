import ListChanges
import TestSupport
import Testing

@testable import TableModel

/// What table views are told, against change-sets.
@Suite struct TableUpdatesTests {
    @Test func anUpdateKnowsWhereItsRowIsAfterwards() {
        var updates = TableUpdates()
        #expect(updates.isEmpty && updates.changes.isEmpty)
        updates.deleteSections([0])
        updates.insertRows(at: [RowPath(section: 0, row: 0)])
        updates.reloadRows(at: [RowPath(section: 1, row: 2), RowPath(section: 0, row: 0)])
        let reloaded = updates.changes.rowChanges.filter { $0.type == .update }
        #expect(reloaded.map(\.before) == [RowPath(section: 1, row: 2), RowPath(section: 0, row: 0)])
        // The second is deleted with its section.
        #expect(reloaded.map(\.after) == [RowPath(section: 0, row: 3), nil])
    }

    @Test func valuesFollowTheirRows() {
        var updates = TableUpdates()
        updates.deleteRows(at: [RowPath(section: 0, row: 0)])
        updates.moveRow(at: RowPath(section: 0, row: 2), to: RowPath(section: 1, row: 0))
        updates.insertSections([0])
        let values = Dictionary(uniqueKeysWithValues: (0..<4).map { (RowPath(section: 0, row: $0), "row \($0)") })
        #expect(
            updates.following(values) == [
                RowPath(section: 1, row: 1): "row 1", RowPath(section: 1, row: 0): "row 2",
                RowPath(section: 1, row: 2): "row 3",
            ])
    }

    /// Two tables with the same history, one told by change-sets and one by single calls in any order.
    @Test(arguments: Effort.some([UInt64](1...24)))
    func randomUpdatesShowWhatTheirChangeSetShows(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let options = TableOptions(hasScrollBar: false)
        let start = Rows.random(using: &random, hasHeaders: seed.isMultiple(of: 2))
        var told = Screen(start, height: 6, options)
        var shown = told
        for step in 0..<120 {
            let before = told.rows
            let after = before.mutated(using: &random)
            var updates = before.updates(to: after, using: &random)
            let namesRowsOfSections = random.percent(50)
            if !namesRowsOfSections { updates.leaveOutRowsOfChangedSections() }
            let changes = TableUpdates(updates).changes
            // Told in any order, they lead to the rows after.
            if namesRowsOfSections { #expect(before.rows(after: changes, from: after) == after.sections.map(\.rows)) }
            if let misfit = told.table.apply(changes, source: after, at: told.time) {
                Issue.record("seed \(seed), step \(step): \(misfit)")
                return
            }
            told.rows = after
            shown.change(to: after, sectionsSpeakForTheirRows: !namesRowsOfSections)
            for wait in [0, 90, 200, 5000.0] {
                #expect(
                    told.frame(after: wait) == shown.frame(after: wait), "seed \(seed), step \(step), after \(wait) ms")
            }
            told.time += 0.1
            shown.time += 0.1
        }
    }
}

extension Rows {
    /// The change-set to other rows, in any order.
    fileprivate func updates(to after: Rows, using random: inout SplitMix64) -> ChangeSet {
        var changes = self.changes(to: after)
        changes.rowChanges.shuffle(using: &random)
        changes.sectionChanges.shuffle(using: &random)
        return changes
    }

    fileprivate func rows(after changes: ChangeSet, from after: Rows) -> [[Row]]? {
        var sections = self.sections.map { ListSection(group: "", rows: $0.rows) }
        do {
            try changes.apply(to: &sections) { after[$0] }
        } catch {
            Issue.record("\(error)")
        }
        return sections.map(\.rows)
    }
}

extension TableUpdates {
    /// What an app makes of a change-set: a call for each change.
    fileprivate init(_ changes: ChangeSet) {
        self.init()
        for change in changes.sectionChanges {
            if change.type == .delete { deleteSections([change.index]) } else { insertSections([change.index]) }
        }
        for change in changes.rowChanges {
            switch change.type {
            case .insert: insertRows(at: [change.after!])
            case .delete: deleteRows(at: [change.before!])
            case .move: moveRow(at: change.before!, to: change.after!)
            case .update: reloadRows(at: [change.before!])
            }
        }
    }
}
