import Foundation
import SQLiteBridge
import Testing

@testable import YapDatabase

/// Files that the original wrote are opened, read, written and read again. What was not written to stays as it was, value
/// by value and type by type.
@Suite struct UnchangedRestTests {
    /// Everything in a file: each table's rows as text, with the storage class of every value, and the schema's text.
    private struct Contents {
        var tables: [String: Set<String>] = [:]
        var schema: Set<String> = []
        var pragmas: [String] = []

        init(_ url: URL) throws {
            let handle = try SQLiteHandle(path: url.path, mode: .readOnly)
            schema = try Set(Self.lines(handle, "SELECT quote(type) || quote(name) || quote(sql) FROM sqlite_master"))
            pragmas = try ["user_version", "auto_vacuum", "encoding", "page_size", "application_id", "journal_mode"]
                .flatMap { try Self.lines(handle, "PRAGMA \($0)") }
            for table in try Self.lines(handle, "SELECT name FROM sqlite_master WHERE type = 'table'") {
                let columns = try Self.lines(handle, "SELECT name FROM pragma_table_info('\(table)')")
                let values = columns.map { #"typeof("\#($0)") || ' ' || quote("\#($0)")"# }.joined(
                    separator: " || '|' || ")
                let lines = try Self.lines(handle, #"SELECT \#(values) FROM "\#(table)""#)
                tables[table] = Set(lines)
                #expect(tables[table]?.count == lines.count, "every row is told from every other")
            }
        }

        private static func lines(_ handle: SQLiteHandle, _ sql: String) throws -> [String] {
            let statement = try handle.statement(sql)
            defer { statement.reset() }
            var lines: [String] = []
            while try statement.step() { lines.append(statement.text(at: 0) ?? "NULL") }
            return lines
        }
    }

    @Test(arguments: ["books", "chat", "json"]) func onlyWhatWasWrittenIsAnother(name: String) throws {
        try withCopy(of: name) { url throws in
            let before = try Contents(url)
            try readWriteAndReadAgain(url)
            let after = try Contents(url)
            #expect(after.schema == before.schema && after.pragmas == before.pragmas)
            #expect(Set(after.tables.keys) == Set(before.tables.keys))
            for (table, rows) in before.tables where table != "yap2" {
                let gone = rows.subtracting(after.tables[table] ?? [])
                let new = (after.tables[table] ?? []).subtracting(rows)
                #expect(gone.isEmpty, "\(table) lost \(gone)")
                #expect(new.count == (table == "database2" ? 1 : 0), "\(table) got \(new)")
            }
            // No registered extension followed the rows, and the file records that; the rest of yap2 is unchanged.
            let changed = (before.tables["yap2"] ?? []).symmetricDifference(after.tables["yap2"] ?? [])
            let allowed = ["'versionTag'", "'snapshot'", "'stale'"]
            #expect(changed.allSatisfy { line in allowed.contains { line.contains($0) } }, "\(changed)")
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test(arguments: [
        ("books", ["order": "2013-01", "salesRank": "1"]), ("chat", ["messages": "1", "roster": "roster-2"]),
    ])
    func viewsThatAreRegisteredKeepTheirPagesToTheByte(name: String, views: [String: String]) throws {
        try withCopy(of: name) { url throws in
            let before = try Contents(url)
            let asked = Locked<Set<String>>([])
            try readWriteAndReadAgain(url) { database in
                for (view, tag) in views {
                    let grouping = YapDatabaseViewGrouping.withKeyBlock { _, collection, _ in
                        asked.withLock { _ = $0.insert(collection) }
                        return nil
                    }
                    let sorting = YapDatabaseViewSorting.withKeyBlock { _, _, _, key1, _, key2 in key1.compare(key2) }
                    try database.register(
                        YapDatabaseAutoView(grouping: grouping, sorting: sorting, versionTag: tag), withName: view)
                }
            }
            // Never about a row that was there.
            #expect(asked.withLock { $0 } == ["ours"])
            let after = try Contents(url)
            for view in views.keys {
                for table in ["view_\(view)_page", "view_\(view)_map"] {
                    #expect(after.tables[table] == before.tables[table])
                }
                func remembered(_ contents: Contents) -> Set<String> {
                    contents.tables["yap2"]?.filter { $0.hasPrefix("text '\(view)'") } ?? []
                }
                #expect(remembered(after) == remembered(before) && remembered(before).count == 3)
            }
        }
    }

    /// Reads every row, writes one of its own in several ways and in two launches, and reads every row again.
    private func readWriteAndReadAgain(_ url: URL, _ register: (YapDatabase) throws -> Void = { _ in }) throws {
        var rows: [Set<String>] = []
        for launch in 0..<2 {
            let database = try YapDatabase(url: url, options: .forTests)
            try register(database)
            let connection = try database.newConnection()
            rows.append(try connection.read(allRows))
            try connection.readWrite { transaction throws in
                try transaction.setObject("first", forKey: "k", inCollection: "ours", withMetadata: 1)
                try transaction.replace("launch \(launch)", forKey: "k", inCollection: "ours")
                try transaction.setObject("gone", forKey: "l", inCollection: "ours")
            }
            try connection.readWrite { try $0.removeObject(forKey: "l", inCollection: "ours") }
            #expect(
                try connection.read { try $0.object(forKey: "k", inCollection: "ours") } as? String
                    == "launch \(launch)")
            rows.append(try connection.read(allRows))
            try database.close()
        }
        #expect(rows.allSatisfy { $0 == rows[0] })
    }

    /// The bytes of all rows but our own.
    private func allRows(_ transaction: YapDatabaseReadTransaction) throws -> Set<String> {
        var rows: Set<String> = []
        try transaction.iterateKeysInAllCollections { collection, key, _ in
            guard collection != "ours" else { return }
            let row = try #require(try transaction.serializedRow(forKey: key, inCollection: collection))
            rows.insert(
                "\(collection) \(key) \(row.object.base64EncodedString()) \(row.metadata?.base64EncodedString() ?? "-")"
            )
        }
        return rows
    }
}
