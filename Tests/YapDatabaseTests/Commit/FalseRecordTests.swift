import DatabaseTesting
import Foundation
import ListChanges
import SQLiteBridge
import TestSupport
import Testing

@testable import FileEngine
@testable import YapDatabase

/// A program that can write to the file changes rows and lists, and writes a record with the right versions that says something else.
@Suite struct FalseRecordTests {
    /// What is done to the file.
    enum Deed: String, CaseIterable {
        case swapTwoRows, removeLastRow, nothing
    }
    /// What the record says of the row with key `k1`, the second one.
    enum Word: String, CaseIterable {
        case updated, removed, movedToFront
    }

    private func key(_ number: Int) -> RowKey { RowKey(collection: "c", key: "k\(number)") }

    private func record(_ word: Word, _ before: FileVersion) -> CommitRecord {
        var changes = RowChanges()
        let operations: [RawOperation]
        switch word {
        case .updated:
            changes.insert(.object, for: key(1))
            operations = [.updateRow(group: "A", index: 1, key: key(1), flags: .object)]
        case .removed:
            changes.insert(.removed, for: key(1))
            operations = [.deleteRow(group: "A", index: 1, key: key(1))]
        case .movedToFront:
            changes.insert(.object, for: key(1))
            operations = [
                .deleteRow(group: "A", index: 1, key: key(1)), .insertRow(group: "A", index: 0, key: key(1)),
            ]
        }
        let log = ViewLog(operations: OperationLog(operations))
        let content = CommitContent(edits: RowEdits(changes), logs: ["items": log.bytes ?? []], isIncomplete: false)
        return CommitRecord(before: before, after: before.next, content: content.bytes)
    }

    private func commit(_ deed: Deed, _ word: Word, _ handle: SQLiteHandle) throws {
        try handle.execute("CREATE TABLE IF NOT EXISTS \"yap_commits\" (\"number\" INTEGER PRIMARY KEY, \"data\" BLOB)")
        try handle.execute("BEGIN IMMEDIATE")
        try handle.findLogIndex()
        let number = try handle.statement("SELECT data FROM yap2 WHERE extension = '' AND key = 'snapshot'")
        #expect(try number.step())
        let before = FileVersion(number: Int(number.int64(at: 0)), change: handle.changeCounter)
        number.reset()
        switch deed {
        case .swapTwoRows:
            let statement = try handle.statement("UPDATE database2 SET data = ? WHERE key = 'k1'")
            let first = Item(group: "A", sort: -1, text: "")
            try statement.bind([UInt8](YapDatabaseCodableFormat.propertyList.encode(first)), at: 1)
            try statement.run()
            statement.reset()
            try handle.execute(
                "UPDATE view_items_page SET data = substr(data, 9, 8) || substr(data, 1, 8) || substr(data, 17)")
            try handle.execute("UPDATE view_items_page SET data = CAST(data AS BLOB)")
        case .removeLastRow:
            try handle.execute("DELETE FROM database2 WHERE key = 'k5'")
            try handle.execute("DELETE FROM view_items_map WHERE rowid NOT IN (SELECT rowid FROM database2)")
            try handle.execute("UPDATE view_items_page SET data = CAST(substr(data, 1, 40) AS BLOB), count = 5")
        case .nothing: break
        }
        try handle.execute("UPDATE yap2 SET data = data + 1 WHERE extension = '' AND key = 'snapshot'")
        let statement = try handle.statement("INSERT OR REPLACE INTO yap_commits VALUES (?, ?)")
        try statement.bind(Int64(before.number + 1), at: 1)
        try statement.bind(record(word, before).bytes, at: 2)
        try statement.run()
        statement.reset()
        try handle.execute("COMMIT")
    }

    private func makeFile(_ url: URL) throws -> YapDatabase {
        let database = try YapDatabase(url: url, options: .forTests)
        database.registerItems()
        try database.register(Item.view(), withName: "items")
        try database.newConnection().readWrite { transaction in
            for number in 0..<6 {
                let item = Item(group: "A", sort: number, text: "")
                try transaction.setObject(item, forKey: "k\(number)", inCollection: "c")
            }
        }
        return database
    }

    @Test(arguments: Deed.allCases, Word.allCases) func theFileIsBelievedNotTheRecord(
        _ deed: Deed, _ word: Word
    ) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let database = try makeFile(url)
            let follower = try ListFollower(database, view: "items", groups: ["A"])
            try commit(deed, word, foreignProgram(url))
            try waitUntil("The commit is known") {
                try follower.advance("\(deed) \(word)")
                return follower.coordinator.connection.snapshot >= 3
            }
            let expected =
                switch deed {
                case .swapTwoRows: [1, 0, 2, 3, 4, 5]
                case .removeLastRow: [0, 1, 2, 3, 4]
                case .nothing: [0, 1, 2, 3, 4, 5]
                }
            #expect(follower.rows.sections[0].rows == expected.map(key), "\(deed) \(word)")
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test(arguments: Deed.allCases, Word.allCases) func theCheckComparesRecordsWithTheFile(
        _ deed: Deed, _ word: Word
    ) throws {
        // That the last row is gone, which the record leaves out, no digest tells.
        let isTrue = [(.swapTwoRows, .movedToFront), (.nothing, .updated), (.removeLastRow, .updated)].contains {
            $0 == (deed, word)
        }
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            try makeFile(url).close()
            let handle = try foreignProgram(url)
            try commit(deed, word, handle)
            let found = try YapDatabase.check(url: url)
            #expect(found.isEmpty == isTrue, "\(deed) \(word): \(found)")
            #expect(found.allSatisfy { $0.description.contains("record") && $0.kind == .rebuildable })
        }
    }
}
