import CSQLite
import Foundation
import YapDatabase

/// The reference: SQLite with prepared statements and nothing else, on the same schema with the same settings.
final class RawDatabase {
    private let handle: RawHandle
    private let insertion: RawStatement
    private let selection: RawStatement
    private let scan: RawStatement
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init(_ url: URL, _ synchronous: YapDatabaseOptions.Synchronous) throws {
        handle = try RawHandle(url, synchronous)
        insertion = try handle.prepare(
            #"INSERT INTO "database2" ("collection", "key", "data", "metadata") VALUES (?, ?, ?, NULL)"#)
        selection = try handle.prepare(#"SELECT "data" FROM "database2" WHERE "collection" = ? AND "key" = ?"#)
        scan = try handle.prepare(
            #"SELECT "rowid", "key", "data", "metadata" FROM "database2" WHERE "collection" = ? ORDER BY "key""#)
    }

    func execute(_ sql: String) throws { try handle.execute(sql) }

    func insert(_ person: Person, _ key: String) throws {
        let data = try encoder.encode(person)
        let statement = insertion.pointer
        Person.collection.bind(to: statement, 1)
        key.bind(to: statement, 2)
        let status = data.withUnsafeBytes { bytes in
            _ = yap_bind_borrowed_blob(statement, 3, bytes.baseAddress, UInt64(bytes.count))
            return sqlite3_step(statement)
        }
        sqlite3_reset(statement)
        guard status == SQLITE_DONE else { throw insertion.error }
    }

    func person(_ key: String) throws -> Person? {
        let statement = selection.pointer
        Person.collection.bind(to: statement, 1)
        key.bind(to: statement, 2)
        defer { sqlite3_reset(statement) }
        return sqlite3_step(statement) == SQLITE_ROW ? try decode(selection, 0) : nil
    }

    /// Every row, in the order of the keys.
    func enumerate(_ body: (String, Person) -> Void) throws {
        let statement = scan.pointer
        Person.collection.bind(to: statement, 1)
        defer { sqlite3_reset(statement) }
        while sqlite3_step(statement) == SQLITE_ROW {
            body(String(cString: sqlite3_column_text(statement, 1)), try decode(scan, 2))
        }
    }

    private func decode(_ statement: RawStatement, _ column: Int32) throws -> Person {
        try decoder.decode(Person.self, from: statement.data(column))
    }
}
