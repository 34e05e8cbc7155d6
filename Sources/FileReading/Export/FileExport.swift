import ByteFormats
import SQLiteBridge
import FileEngine

/// A whole file as lines of JSON, from which `FileImport` makes a file with the same content.
///
/// The first line describes the file: `{"yap":1,"pageSize":…,"encoding":…,"autoVacuum":…,"userVersion":…,
/// "applicationID":…}`. Then comes a line for each table, index, trigger and view,
/// `{"create":"table","name":…,"sql":…}`, then one for each row of each table: `{"table":…,"rowid":…,"values":{…}}`,
/// with values in the form of `ExportedField`. A row of the row table also has its decoded `object` and `metadata`, for
/// people and programs; an import ignores them.
///
/// Indexes and virtual tables are exported as the tables that SQLite keeps for them, so that an import restores them
/// exactly.
///
/// Of a damaged file, every readable row is exported. The last line gives the number of rows, so that an import notices
/// a missing part, and what could not be read: `{"rows":{table: count},"damage":[sentences]}`.
package struct FileExport {
    private let snapshot: FileSnapshot
    /// The rows read in one portion. The search for the place to continue costs nothing beside them.
    private static let portion = 10_000

    package init(_ file: BrowsedFile) { snapshot = file.snapshot }

    /// Calls `write` with the lines and their line breaks: many at once, and a very long one in pieces.
    /// - Parameters:
    ///   - isCancelled: called repeatedly, also while SQLite works.
    ///   - write: also gets the name of the table whose rows they are; nil for lines about the whole file.
    /// - Returns: what is missing because it cannot be read, in sentences; empty for a sound file.
    /// - Throws: ``YapDatabaseError`` if not even the tables can be listed or the export is cancelled, and errors of
    ///   `write`.
    package func run(
        isCancelled: @escaping @Sendable () -> Bool = { false },
        _ write: (_ table: String?, _ lines: [UInt8]) throws -> Void
    ) throws -> [String] {
        try withoutActuallyEscaping(write) { write in
            try snapshot.work { store in
                store.handle.cancelStatements(when: isCancelled)
                defer { store.handle.cancelStatements(when: nil) }
                // At most one large value is in memory.
                return try snapshot.withWholeValues(store) { try run(store, isCancelled, write) }
            }
        }
    }

    private func run(
        _ store: Store, _ isCancelled: () -> Bool,
        _ write: @escaping (_ table: String?, _ lines: [UInt8]) throws -> Void
    ) throws -> [String] {
        func writeLine(_ json: consuming JSONObject) throws { try write(nil, json.closed() + [UInt8(ascii: "\n")]) }
        try writeLine(head(store))
        let repaired = try ExportedItem.repaired(store)
        for item in try repaired?.items ?? ExportedItem.all(store) {
            var json = JSONObject()
            json.add("create", item.kind)
            json.add("name", item.name)
            json.add("sql", item.sql)
            try writeLine(json)
        }
        var damage = repaired?.losses ?? []
        var counts = JSONObject()
        for table in try ExportedItem.tables(store, repaired: repaired?.items) {
            let shape = LineShape(table, hasMeaning: table.name == snapshot.schema.rows?.name)
            let rows = RowExport(shape) { try write(table.name, $0) }
            var count = 0
            let loss = try export(table, store) {
                count += 1
                try rows.add($0)
            }
            // A cancelled statement fails without any damage.
            if isCancelled() { throw YapDatabaseError(.interrupted, "The export was stopped before its end.") }
            try rows.end()
            counts.add(table.name, count)
            if let loss { damage.append("Rows of the table \"\(table.name)\" are missing. \(loss.sentence)") }
        }
        var json = JSONObject()
        json.add("rows") { $0 += counts.closed() }
        if !damage.isEmpty { json.add("damage", damage) }
        try writeLine(json)
        return damage
    }

    private func head(_ store: Store) throws -> JSONObject {
        func pragma(_ name: String) throws -> Int { try store.first("PRAGMA \(name)") { Int($0.int64(at: 0)) } ?? 0 }
        var json = JSONObject()
        json.add("yap", 1)
        json.add("pageSize", try pragma("page_size"))
        json.add("encoding", try store.first("PRAGMA encoding") { $0.text(at: 0) ?? "" } ?? "")
        json.add("autoVacuum", try pragma("auto_vacuum"))
        json.add("userVersion", try pragma("user_version"))
        json.add("applicationID", try pragma("application_id"))
        return json
    }

    /// Exports the rows of one table.
    /// - Returns: why rows are left out, if any are.
    private func export(
        _ table: ExportedItem.Table, _ store: Store, _ row: (SQLiteStatement) throws -> Void
    ) throws -> (any Error)? {
        // A damaged column name need not be valid text and cannot be used in a statement.
        let isNamed = !table.columns.contains { $0.unicodeScalars.contains("\u{FFFD}") }
        let columns = isNamed ? table.columns.map(\.quotedSQL) : ["*"]
        if table.hasRowid {
            let (name, behind) = (table.name.quotedSQL, columns.map { ", " + $0 }.joined())
            var walk = TableWalk()
            while !walk.isOver {
                try walk.visit(Self.portion, of: name, behind, store, row)
            }
            return walk.damage
        }
        let statement = try store.handle.statement(
            "SELECT \(columns.joined(separator: ", ")) FROM \(table.name.quotedSQL)")
        defer { statement.reset() }
        while true {
            do {
                guard try statement.step() else { return nil }
            } catch {
                return error
            }
            try row(statement)
        }
    }
}
