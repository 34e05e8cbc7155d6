import ByteFormats
import SQLiteBridge
import YapDatabase

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

    /// Calls with each line, without its line break.
    /// - Parameter write: also gets the name of the table whose row it is; nil for what is about the whole file.
    /// - Returns: as `runInPieces`.
    package func run(_ write: (_ table: String?, _ line: [UInt8]) throws -> Void) throws -> [String] {
        var line: [UInt8] = []
        return try runInPieces { table, piece in
            line += piece
            guard line.last == UInt8(ascii: "\n") else { return }
            line.removeLast()
            try write(table, line)
            line.removeAll(keepingCapacity: true)
        }
    }

    /// Calls with each line, the line break at its end. One that has a large value comes in pieces, so that the value is in
    /// memory once, as SQLite has it.
    /// - Parameters:
    ///   - isCancelled: asked again and again, also while SQLite works.
    ///   - write: also gets the name of the table whose row it is; nil for what is about the whole file.
    /// - Returns: what is missing because it cannot be read, in sentences; none from a sound file.
    /// - Throws: ``YapDatabaseError`` when not even the tables can be told, or it was cancelled, and what `write` throws.
    package func runInPieces(
        isCancelled: @escaping @Sendable () -> Bool = { false },
        _ writePiece: (_ table: String?, _ piece: [UInt8]) throws -> Void
    ) throws -> [String] {
        func write(_ table: String?, _ line: [UInt8]) throws { try writePiece(table, line + [UInt8(ascii: "\n")]) }
        return try snapshot.work { store in
            store.handle.cancelStatements(when: isCancelled)
            defer { store.handle.cancelStatements(when: nil) }
            // One value at a time is in memory, and its row as JSON.
            store.handle.limitValues(toBytes: min(Self.valueLimit, max(snapshot.bytes, FileSnapshot.valueLimit)))
            defer { store.handle.limitValues(toBytes: FileSnapshot.valueLimit) }
            try write(nil, head(store))
            for item in try ExportedItem.all(store) {
                var json = JSONObject()
                json.add("create", item.kind)
                json.add("name", item.name)
                json.add("sql", item.sql)
                try write(nil, json.closed())
            }
            var damage: [String] = []
            var counts = JSONObject()
            for table in try ExportedItem.tables(store) {
                var count = 0
                let loss = try export(table, store, countedIn: &count) { try writePiece(table.name, $0) }
                // Not damage, though a statement failed.
                if isCancelled() { throw YapDatabaseError(.interrupted, "The export was stopped before its end.") }
                counts.add(table.name, count)
                if let loss { damage.append("Rows of the table \"\(table.name)\" are missing. \(loss.sentence)") }
            }
            var json = JSONObject()
            json.add("rows") { $0 += counts.closed() }
            if !damage.isEmpty { json.add("damage", damage) }
            try write(nil, json.closed())
            return damage
        }
    }

    private func head(_ store: Store) throws -> [UInt8] {
        func pragma(_ name: String) throws -> Int { try store.first("PRAGMA \(name)") { Int($0.int64(at: 0)) } ?? 0 }
        var json = JSONObject()
        json.add("yap", 1)
        json.add("pageSize", try pragma("page_size"))
        json.add("encoding", try store.first("PRAGMA encoding") { $0.text(at: 0) ?? "" } ?? "")
        json.add("autoVacuum", try pragma("auto_vacuum"))
        json.add("userVersion", try pragma("user_version"))
        json.add("applicationID", try pragma("application_id"))
        return json.closed()
    }

    /// - Returns: why rows are left out, if any are.
    private func export(
        _ table: ExportedItem.Table, _ store: Store, countedIn count: inout Int, _ write: ([UInt8]) throws -> Void
    ) throws -> (any Error)? {
        let row = ExportedRow(table, hasMeaning: table.name == snapshot.schema.rows?.name)
        func export(_ statement: SQLiteStatement) throws {
            count += 1
            try row.write(statement, write)
        }
        let columns = table.columns.map(\.quotedSQL)
        if table.hasRowid {
            let behind = columns.map { ", " + $0 }.joined()
            var walk = TableWalk()
            while !walk.isOver {
                try walk.visit(Self.portion, of: table.name.quotedSQL, behind, store, export)
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
            try export(statement)
        }
    }
}
