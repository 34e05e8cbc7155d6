import Foundation
import LiveTable

/// The examples in the doc comments of lists, change-sets and tables.
private struct ListExamples {
    let key = RowKey(collection: "buddies", key: "bob")

    func mappings() {
        var mappings = Mappings(groups: ["available", "away"])
        mappings.setIsDynamicSection(true, forGroup: "away")
        mappings.update(counts: ["available": 3, "away": 0])
        print(mappings.visibleGroups)  // ["available"]
    }

    func advanced(_ before: Mappings) throws {
        let (after, outcome) = try before.advanced(by: [
            .insertSection(group: "away"), .insertRow(group: "away", index: 0, key: key),
        ])
        _ = (after, outcome)
    }

    func counts() {
        let log = [RawOperation.insertRow(group: "A", index: 0, key: key)]
        let counts = log.counts(from: ["A": 2])  // ["A": 3]
        _ = counts
    }

    func search(count: Int, selected: Int, pattern: String, texts: [String]) throws {
        func text(ofRow row: Int) throws -> String { texts[row] }
        var search = RowSearch(rows: count, from: selected + 1)
        // In each pass of the loop, while `search.state` is `.searching`:
        try search.look(at: 500) { try text(ofRow: $0).contains(pattern) }
    }

    func table(
        theme: Theme, rows: any TableSource, changes: ChangeSet, rowsAfter: any TableSource, at now: Double,
        _ grid: inout Grid
    ) {
        func log(_ misfit: Misfit) { print(misfit) }
        var table = Table(options: TableOptions(theme: theme))
        table.resize(width: 40, height: 20, source: rows, at: now)
        if let misfit = table.apply(changes, source: rowsAfter, at: now) { log(misfit) }
        table.draw(into: &grid, in: Rect(x: 0, y: 2, width: 40, height: 20), at: now)
        let wakeUp = table.nextFrame(after: now)  // nil: sleep until something happens
        _ = wakeUp
    }

    @MainActor func tableView(_ tableView: TableView) throws {
        tableView.beginUpdates()
        try tableView.deleteRows(at: [IndexPath(row: 3, section: 0)], with: .automatic)
        try tableView.insertRows(at: [IndexPath(row: 0, section: 1)], with: .automatic)
        try tableView.endUpdates()
    }

    struct Book: Codable, Sendable, Identifiable {
        var id: String
        var title: String
    }

    func typedTable(_ order: YapList<Book, String, Never>) {
        let table = LiveTable(order, .last(50)) { book in RowCell(book.title) }
        _ = table
    }

    @MainActor func screen(_ order: YapList<Book, String, Never>, _ database: YapDatabase) throws {
        let code = try ListScreen.run(order, in: database, title: "Books") { book in RowCell(book.title) }
        _ = code
    }

    func liveTable(_ mappings: YapDatabaseViewMappings, _ database: YapDatabase) throws {
        struct Buddy {
            var name: String
        }
        let roster = LiveTable(mappings: mappings) { row in
            RowCell([Line(text: (try row.object() as? Buddy)?.name ?? "")])
        }
        let tables = try LiveTables(connection: database.newConnection())
        try tables.add(roster)
    }
}
