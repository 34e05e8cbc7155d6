import ListChanges

@testable import TableModel

/// A table with its rows and a clock, which a test acts on and reads.
struct Screen {
    var table: Table
    var rows: Rows
    var time = 100.0
    /// The heights of visible rows in their present state, by key: the table should have stored them.
    private(set) var seen: [String: Int] = [:]

    init(_ rows: Rows, width: Int = 10, height: Int = 5, _ options: TableOptions = TableOptions(hasScrollBar: false)) {
        self.rows = rows
        table = Table(options: options)
        resize(width: width, height: height)
        reload()
    }

    mutating func resize(width: Int, height: Int) {
        if width != table.width { seen = [:] }
        table.resize(width: width, height: height, source: rows, at: time)
        look()
    }

    mutating func reload() {
        table.reload(source: rows, at: time)
        seen = [:]
        look()
    }

    /// Shows other rows with a matching change-set.
    @discardableResult
    mutating func change(to after: Rows, sectionsSpeakForTheirRows: Bool = false) -> Misfit? {
        var changes = rows.changes(to: after)
        if sectionsSpeakForTheirRows { changes.leaveOutRowsOfChangedSections() }
        let misfit = table.apply(changes, source: after, at: time)
        rows = after
        for key in changes.rowChanges.compactMap(\.key?.key) { seen[key] = nil }
        if misfit != nil { seen = [:] }
        let keys = Set(rows.sections.flatMap { $0.rows.map(\.key) })
        seen = seen.filter { keys.contains($0.key) }
        look()
        return misfit
    }

    mutating func perform(_ command: TableCommand) {
        table.perform(command, source: rows, at: time)
        look()
    }

    mutating func select(_ key: String) {
        table.select(rows.path(of: RowKey(collection: "", key: key)), source: rows, at: time)
        look()
    }

    private mutating func look() {
        for item in table.items { if let key = item.key { seen[key.key] = item.height } }
    }

    /// Returns the frame a number of milliseconds from now.
    func frame(after milliseconds: Double = 0) -> Grid {
        var grid = Grid(width: table.width, height: table.height)
        table.draw(into: &grid, in: grid.bounds, at: time + milliseconds / 1000)
        return grid
    }

    func lines(after milliseconds: Double = 0) -> [String] { frame(after: milliseconds).lines }

    /// Lets all animations end.
    mutating func wait(_ milliseconds: Double = 2000) { time += milliseconds / 1000 }

    /// Draws the same part of the same rows with a new table that only knows the measured heights of the other rows.
    func drawnAfresh() -> Grid {
        var fresh = Table(options: table.options)
        fresh.resize(width: table.width, height: table.height, source: rows, at: time)
        fresh.reload(source: rows, at: time)
        fresh.restore(table.scrollState, source: rows, at: time)
        fresh.heights = RowHeights(rows: fresh.counts.total)
        for (key, height) in seen {
            guard let path = rows.path(of: RowKey(collection: "", key: key)) else { continue }
            fresh.heights.measure(fresh.counts.rank(of: path), height)
        }
        fresh.newBelow = table.newBelow
        fresh.isFocused = table.isFocused
        fresh.markSelected(table.selection, source: rows)
        var grid = Grid(width: table.width, height: table.height)
        fresh.draw(into: &grid, in: grid.bounds, at: time)
        return grid
    }
}
