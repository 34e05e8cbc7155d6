import Foundation
import LiveTable

/// The examples in the comments of the members of tables as values.
private struct TableExamples {
    let rows: any TableSource
    let now = 0.0

    func apply(_ table: inout Table) {
        let changes = ChangeSet(rowChanges: [])
        if let misfit = table.apply(changes, source: rows, at: now) { print(misfit) }
        _ = changes
    }

    func numberOfRows(_ table: inout Table) {
        print(table.numberOfRows(in: 0), table.isVisible(RowPath(section: 0, row: 0)))
    }

    func draw(_ table: inout Table) {
        var grid = Grid(width: table.width, height: table.height)
        table.draw(into: &grid, in: Rect(x: 0, y: 0, width: table.width, height: table.height), at: now)
        _ = grid
    }

    func nextFrame(_ table: inout Table) {
        if let next = table.nextFrame(after: now) { print("draw again at \(next)") }
        if table.isAnimating(at: now) { table.finishAnimation() }
        print(table.transitions(at: now).isEmpty)  // true
    }

    func hit(_ table: inout Table) {
        if case .row(let key, let path) = table.hit(x: 3, y: 5, at: now) { print(key, path) }
        if let command = table.command(for: .press(button: 1), x: 3, y: 5, at: now) {
            table.perform(command, source: rows, at: now)
        }
    }

    func perform(_ table: inout Table) {
        if !table.perform(.selectNext(), source: rows, at: now) { print("nothing to select") }
    }

    func markSelected(_ table: inout Table) {
        table.markSelected(RowKey(collection: "books", key: "dune"), source: rows)
    }

    func select(_ table: inout Table) {
        table.select(RowPath(section: 0, row: 0), source: rows, at: now)
    }

    func scroll(_ table: inout Table) {
        table.scroll(to: .end, source: rows, at: now)
    }

    func reload(_ table: inout Table) {
        table.resize(width: 80, height: 24, source: rows, at: now)
        table.reload(source: rows, at: now)
    }

    func setOptions(_ table: inout Table) {
        var options = table.options
        options.motion = .reduced
        table.setOptions(options, source: rows, at: now)
        _ = options
    }

    func scrollState(_ table: inout Table) {
        let state = table.scrollState(at: now)
        table.restore(state, source: rows, at: now)
        _ = state
    }

    func deleteSections() {
        var updates = TableUpdates()
        updates.deleteSections([2])
        updates.insertSections([0])
        updates.insertRows(at: [RowPath(section: 1, row: 0)])
        updates.reloadRows(at: [RowPath(section: 1, row: 4)])
        _ = updates
    }
}
