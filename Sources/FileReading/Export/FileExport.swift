import ByteFormats
import SQLiteBridge
import FileEngine

/// A whole file as lines of JSON, from which `FileImport` makes one with the same content.
///
/// The first line says what the file is: `{"yap":1,"pageSize":…,"encoding":…,"autoVacuum":…,"userVersion":…,
/// "applicationID":…}`. Then comes a line for each table, index, trigger and view, `{"create":"table","name":…,"sql":…}`, and
/// then one for each row of each table: `{"table":…,"rowid":…,"values":{…}}`, the values as `ExportedValue` has them. A row of
/// the row table also has what its bytes mean, `object` and `metadata`, for people and programs: import passes it over.
///
/// Indexes, virtual tables included, are exported as the tables that SQLite keeps for them, so that they come out the same.
///
/// Of a damaged file every row is exported that can be read. The last line says how many rows there are, so that an import
/// notices when a part is missing, and what could not be read: `{"rows":{table: count},"damage":[sentences]}`.
package struct FileExport {
    private let snapshot: FileSnapshot
    /// The largest value of SQLite itself.
    private static let valueLimit = 1_000_000_000
    /// Rows to read in one go: a new search for the place to go on is nothing beside them.
    private static let portion = 10_000

    package init(_ file: BrowsedFile) { snapshot = file.snapshot }

    /// Calls with the lines, with their line breaks: many at once, and a very long one in pieces.
    /// - Parameters:
    ///   - isCancelled: asked again and again, also while SQLite works.
    ///   - write: also gets the name of the table whose rows they are; nil for what is about the whole file.
    /// - Returns: what is missing because it cannot be read, in sentences; none from a sound file.
    /// - Throws: ``YapDatabaseError`` when not even the tables can be told, or it was cancelled, and what `write` throws.
    package func run(
        isCancelled: @escaping @Sendable () -> Bool = { false },
        _ write: (_ table: String?, _ lines: [UInt8]) throws -> Void
    ) throws -> [String] {
        try withoutActuallyEscaping(write) { write in
            try snapshot.work { store in
                store.handle.cancelStatements(when: isCancelled)
                defer { store.handle.cancelStatements(when: nil) }
                // One large value at a time is in memory.
                store.handle.limitValues(toBytes: min(Self.valueLimit, max(snapshot.bytes, FileSnapshot.valueLimit)))
                defer { store.handle.limitValues(toBytes: FileSnapshot.valueLimit) }
                return try run(store, isCancelled, write)
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
            // Not damage, though a statement failed.
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

    /// - Returns: why rows are left out, if any are.
    private func export(
        _ table: ExportedItem.Table, _ store: Store, _ row: (SQLiteStatement) throws -> Void
    ) throws -> (any Error)? {
        // A damaged name need not be text, by which a column could be asked for.
        let isNamed = !table.columns.contains { $0.unicodeScalars.contains("\u{FFFD}") }
        let columns = isNamed ? table.columns.map(\.quotedSQL) : ["*"]
        if table.hasRowid {
            let behind = columns.map { ", " + $0 }.joined()
            var walk = TableWalk()
            while !walk.isOver {
                try walk.visit(Self.portion, of: table.name.quotedSQL, behind, store, row)
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
