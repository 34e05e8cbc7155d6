import Foundation
import LiveTable

/// The examples in the comments of the members of live tables.
@MainActor private struct LiveTableExamples {
    let connection: YapDatabaseConnection
    let database: YapDatabase
    let roster: LiveTable
    let tables: LiveTables
    let tableView: TableView
    let mappings: YapDatabaseViewMappings
    let screen: ListScreen
    let now = 0.0

    func update() throws {
        try roster.update { table, rows in table.select(RowPath(section: 0, row: 0), source: rows, at: now) }
        let selected = roster.update { table in table.selectedPath }
        _ = selected
    }

    func setTheme() throws {
        try roster.setTheme(Theme(background: .light), at: now)
    }

    func reconfigure() throws {
        try roster.reconfigure(at: now) { mappings in mappings.setIsReversed(true, forGroup: "messages") }
    }

    func show() throws {
        try roster.show(YapDatabaseViewMappings(groups: ["anna"], view: "messages"), at: now)
    }

    func makeLiveTables() throws {
        let tables = try LiveTables(connection: database.newConnection())
        try tables.add(roster)
        _ = tables
    }

    func advance() async throws {
        for await _ in database.commits {
            for misfit in try tables.advance(at: now) { print(misfit) }
        }
    }

    func nextFrame() {
        if let next = tables.nextFrame(after: now) { print("draw again at \(next)") }
    }

    func object() throws {
        let table = LiveTable(mappings: mappings) { row in RowCell((try row.object() as? String) ?? "") }
        _ = table
    }

    func reloadData() {
        tableView.reloadData()
        print(tableView.numberOfSections, tableView.numberOfRows(inSection: 0))
    }

    func resize() {
        tableView.resize(width: 80, height: 24)
        var grid = Grid(width: 80, height: 24)
        tableView.draw(into: &grid, in: Rect(x: 0, y: 0, width: 80, height: 24))
        _ = grid
    }

    func update2() {
        tableView.update { table, rows in _ = table.perform(.selectNext(), source: rows, at: now) }
    }

    func cellForRow() {
        if let cell = tableView.cellForRow(at: IndexPath(row: 0, section: 0)) { print(cell.lines.count) }
    }

    func insertSections() throws {
        tableView.beginUpdates()
        try tableView.insertSections([1], with: .automatic)
        try tableView.moveRow(at: IndexPath(row: 0, section: 0), to: IndexPath(row: 2, section: 0))
        try tableView.reloadRows(at: [IndexPath(row: 3, section: 0)], with: .automatic)
        try tableView.endUpdates()
    }

    func deleteSections() throws {
        try tableView.deleteSections([1], with: .none)  // alone, without a block of updates
    }

    func makeTableView(_ contacts: any TableViewDataSource) {
        let tableView = TableView(options: TableOptions(motion: .reduced))
        tableView.dataSource = contacts
    }
}
