import FileEngine
import SQLiteBridge
import ViewPageKeys

/// Writes on which page of a view each of many rows is, with one statement for all of them.
final class MapWriter {
    private let change: SQLiteStatement
    private let removal: SQLiteStatement

    init(_ store: Store, _ sql: ViewSQL) throws {
        (change, removal) = try store.handle.statements(sql.setPageKey, sql.removePageKey)
    }

    deinit {
        change.reset()
        removal.reset()
    }

    /// - Parameter page: nil for a row that leaves the view.
    func set(_ page: PageKey?, ofRowid rowid: Int64) throws {
        guard let page else {
            defer { removal.rewind() }
            try removal.bind(rowid, at: 1)
            return try removal.run()
        }
        defer { change.rewind() }
        try change.bind(rowid, at: 1)
        try page.withBytes { bytes in
            try change.bind(borrowingText: bytes, at: 2)
            try change.run()
        }
    }
}
