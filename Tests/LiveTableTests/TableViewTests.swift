import Foundation
import LiveTable
import TestSupport
import Testing

/// The table that is told what changed, as UIKit's is.
@MainActor @Suite struct TableViewTests {
    @Test func tableViewShowsItsDataSource() {
        let list = TestList([("A", ["a", "b"]), ("B", ["c"])])
        let view = list.makeView()
        #expect(view.numberOfSections == 2 && view.numberOfRows(inSection: 0) == 2)
        #expect(view.numberOfRows(inSection: 7) == 0)
        #expect(list.lines() == [" A", " a", " b", " B", " c", ""])
        list.sections = [("A", ["b"])]
        #expect(view.numberOfSections == 2)
        view.reloadData()
        #expect(list.lines() == [" A", " b", "", "", "", ""])
    }

    @Test func aCellIsThereWhileItsRowIsOnTheScreen() {
        let list = TestList([("A", (0..<20).map { "row \($0)" })])
        let view = list.makeView()
        #expect(view.cellForRow(at: IndexPath(row: 4, section: 0))?.lines.map(\.text) == ["row 4"])
        #expect(view.cellForRow(at: IndexPath(row: 5, section: 0)) == nil)
        #expect(view.cellForRow(at: IndexPath(row: 20, section: 0)) == nil)
    }

    @Test func aBlockOfUpdatesIsOneChange() throws {
        let list = TestList([("A", ["a", "b", "c"]), ("B", ["d"])])
        let view = list.makeView()
        view.update { table, rows in table.select(RowPath(section: 0, row: 2), source: rows, at: 0) }
        list.sections = [("N", ["new"]), ("A", ["c", "B!", "e"])]
        view.beginUpdates()
        try view.insertRows(at: [IndexPath(row: 2, section: 1)], with: .automatic)
        try view.deleteSections(IndexSet(integer: 1), with: .automatic)
        try view.insertSections(IndexSet(integer: 0), with: .automatic)
        try view.deleteRows(at: [IndexPath(row: 0, section: 0)], with: .automatic)
        try view.reloadRows(at: [IndexPath(row: 1, section: 0)], with: .automatic)
        view.beginUpdates()
        try view.moveRow(at: IndexPath(row: 2, section: 0), to: IndexPath(row: 0, section: 1))
        try view.endUpdates()
        #expect(view.numberOfSections == 2 && view.numberOfRows(inSection: 1) == 1, "The outer block is open.")
        try view.endUpdates()
        #expect(view.table.isAnimating(at: list.time))
        #expect(view.table.selectedPath == RowPath(section: 1, row: 0))
        list.time += 10
        #expect(list.lines() == [" N", " new", " A", "▌c", " B!", " e"])
    }

    @Test func aVerbOutsideOfABlockIsAChangeOfItsOwn() throws {
        let list = TestList([("A", ["a"])])
        let view = list.makeView()
        list.sections[0].rows = ["a", "b"]
        try view.insertRows(at: [IndexPath(row: 1, section: 0)], with: .none)
        #expect(list.lines() == [" A", " a", " b", "", "", ""] && !view.table.isAnimating(at: list.time))
    }

    @Test func updatesThatDoNotFitThrowAndThePresentRowsAreShown() throws {
        let list = TestList([("A", ["a", "b", "c"])])
        let view = list.makeView()
        view.update { table, rows in table.select(RowPath(section: 0, row: 2), source: rows, at: 0) }
        list.sections[0].rows = ["a"]
        view.beginUpdates()
        try view.deleteRows(at: [IndexPath(row: 0, section: 0)], with: .automatic)
        let misfit = #expect(throws: Misfit.self) { try view.endUpdates() }
        #expect(misfit?.countsBefore == [3] && misfit?.countsAfter == [1])
        #expect(list.lines() == [" A", "▌a", "", "", "", ""])
        view.beginUpdates()
        try view.endUpdates()
    }

    @Test func anErrorOfTheDataSourceStandsInPlaceOfItsRow() {
        let list = TestList([("A", ["a", "error", "c"])])
        _ = list.makeView()
        #expect(list.lines() == [" A", " a", " cannot be read", " c", "", ""])
    }

    @Test func theDataSourceMayAskTheTable() throws {
        let list = TestList([("A", ["a"])])
        let view = list.makeView()
        list.asksTable = true
        list.sections[0].rows = ["a", "b"]
        try view.insertRows(at: [IndexPath(row: 1, section: 0)], with: .automatic)
        #expect(view.numberOfRows(inSection: 0) == 2)
    }

    @Test(arguments: Effort.some([UInt64](1...12)))
    func afterRandomUpdatesItShowsWhatItWouldIfReloaded(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let list = TestList([("A", ["0"])])
        let view = list.makeView()
        for step in 0..<150 {
            let before = list.sections
            for _ in 0...random.below(4) { list.mutate(using: &random) }
            // Sections that change their order are shown by a reload only.
            guard let changes = ChangeSet(from: ListSnapshot(before), to: ListSnapshot(list.sections)) else {
                view.reloadData()
                continue
            }
            view.beginUpdates()
            try view.tell(changes, before)
            try view.endUpdates()
            list.time += Double(random.below(300)) / 1000
            _ = list.lines()
            if random.percent(20) {
                view.update { table, rows in table.scroll(to: .start, source: rows, at: list.time) }
                list.time += 10
                let shown = list.lines()
                view.reloadData()
                #expect(shown == list.lines(), "seed \(seed), step \(step)")
            }
            let shownCounts = (0..<view.numberOfSections).map { view.numberOfRows(inSection: $0) }
            #expect(shownCounts == list.sections.map(\.rows.count), "seed \(seed), step \(step)")
        }
    }
}

/// A data source with titles for sections and texts for rows, which are all different.
@MainActor private final class TestList: TableViewDataSource {
    typealias Section = (title: String, rows: [String])

    var sections: [Section]
    var time = 100.0
    var asksTable = false
    private var view: TableView?

    init(_ sections: [Section]) { self.sections = sections }

    func makeView() -> TableView {
        let options = TableOptions(theme: Theme(depth: .monochrome), hasScrollBar: false)
        let view = TableView(options: options) { [unowned self] in time }
        view.dataSource = self
        view.resize(width: 20, height: 6)
        self.view = view
        return view
    }

    func lines() -> [String] {
        var grid = Grid(width: 20, height: 6)
        view?.draw(into: &grid, in: grid.bounds)
        return grid.lines
    }

    func mutate(using random: inout SplitMix64) {
        let texts = Set(sections.flatMap(\.rows))
        switch random.below(10) {
        case 0:
            if let title = ["A", "B", "C", "D"].first(where: { title in !sections.contains { $0.title == title } }) {
                sections.insert((title, []), at: random.below(sections.count + 1))
            }
        case 1: if sections.count > 1 { sections.remove(at: random.below(sections.count)) }
        case 2..<4: if let place = place(&random) { sections[place.section].rows.remove(at: place.row) }
        case 4..<6:
            if let place = place(&random) { put(sections[place.section].rows.remove(at: place.row), &random) }
        default:
            let text = "\(random.below(40))"
            if !texts.contains(text) { put(text, &random) }
        }
    }

    private func place(_ random: inout SplitMix64) -> RowPath? {
        let section = random.below(sections.count)
        guard !sections[section].rows.isEmpty else { return nil }
        return RowPath(section: section, row: random.below(sections[section].rows.count))
    }

    private func put(_ text: String, _ random: inout SplitMix64) {
        let section = random.below(sections.count)
        sections[section].rows.insert(text, at: random.below(sections[section].rows.count + 1))
    }

    func numberOfSections(in tableView: TableView) -> Int { sections.count }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { sections[section].rows.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) throws -> RowCell {
        let text = sections[indexPath.section].rows[indexPath.row]
        if text == "error" { throw Unreadable() }
        if asksTable {
            _ = tableView.numberOfRows(inSection: 0)
            _ = tableView.table.selection
        }
        return RowCell([Line(text: text)])
    }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? { sections[section].title }

    private struct Unreadable: Error, CustomStringConvertible { let description = "cannot be read" }
}

extension TableView {
    /// Tells a change-set, one verb for each change, and reloads a row that it does not name.
    fileprivate func tell(_ changes: ChangeSet, _ before: [(title: String, rows: [String])]) throws {
        for change in changes.sectionChanges {
            if change.type == .delete {
                try deleteSections(IndexSet(integer: change.index), with: .automatic)
            } else {
                try insertSections(IndexSet(integer: change.index), with: .automatic)
            }
        }
        for change in changes.rowChanges {
            switch change.type {
            case .insert: try insertRows(at: [change.newIndexPath!], with: .automatic)
            case .delete: try deleteRows(at: [change.indexPath!], with: .automatic)
            case .move: try moveRow(at: change.indexPath!, to: change.newIndexPath!)
            case .update: try reloadRows(at: [change.indexPath!], with: .automatic)
            }
        }
        let changed = Set(changes.rowChanges.compactMap(\.before?.section) + changes.sectionChanges.map(\.index))
        if let kept = before.indices.first(where: { !before[$0].rows.isEmpty && !changed.contains($0) }) {
            try reloadRows(at: [IndexPath(row: 0, section: kept)], with: .none)
        }
    }
}

extension ListSnapshot {
    fileprivate init(_ sections: [(title: String, rows: [String])]) {
        self.init(
            sections: sections.map { section in
                Section(group: section.title, rows: section.rows.map { RowKey(collection: "", key: $0) })
            })
    }
}
