import Foundation
import SQLiteBridge
import Testing

@testable import YapDatabase

/// Another process changes rows, or the extensions themselves, while this one has them registered.
@Suite struct StaleElsewhereTests {
    private func rows(_ connection: YapDatabaseConnection) throws -> Int? {
        try connection.read { ($0.ext("recorder") as? RecordingTransaction)?.rows }
    }

    /// Registers an extension, lets another process run SQL, and returns what the extension says afterwards to a reader
    /// and in the next write.
    private func afterwards(isPersistent: Bool = true, _ sql: String...) throws -> (read: Int?, inWrite: Int?) {
        try withTemporaryDatabase { database throws in
            let (reader, writer) = (try database.newConnection(), try database.newConnection())
            try database.register(RecordingExtension(tag: "7", isPersistent: isPersistent), withName: "recorder")
            try writer.readWrite { try $0.setObject(1, forKey: "a") }
            #expect(try rows(reader) == 1)
            // Nothing of ours may write before the other process's state was seen.
            let before = try SQLiteHandle(path: database.databaseURL.path, mode: .readWrite, busyTimeout: 30_000)
            for sql in sql { try before.execute(sql) }
            let inWrite = try writer.readWrite { ($0.ext("recorder") as? RecordingTransaction)?.rows }
            return (try rows(reader), inWrite)
        }
    }

    @Test func aStaleExtensionIsMadeAnewByTheNextWrite() throws {
        let result = try afterwards(
            "INSERT INTO database2 (collection, key, data) VALUES ('', 'b', x'00')",
            "UPDATE yap2 SET data = 'stale:7' WHERE extension = 'recorder' AND key = 'versionTag'")
        #expect(result.read == 2 && result.inWrite == 2)
    }

    @Test func aDroppedExtensionIsMadeAnewByTheNextWrite() throws {
        let result = try afterwards("DELETE FROM yap2 WHERE extension = 'recorder'")
        #expect(result.read == 1 && result.inWrite == 1)
    }

    @Test func anExtensionInMemoryIsMadeAnewByTheNextWrite() throws {
        let result = try afterwards(
            isPersistent: false, "INSERT INTO database2 (collection, key, data) VALUES ('', 'b', x'00')")
        #expect(result.read == 2 && result.inWrite == 2)
    }

    @Test func aReaderAloneBringsItBackToo() async throws {
        try await withTemporaryDatabase { database in
            let reader = try database.newConnection()
            try await database.register(RecordingExtension(isPersistent: false), withName: "recorder")
            let other = try SQLiteHandle(path: database.databaseURL.path, mode: .readWrite, busyTimeout: 30_000)
            try other.execute("INSERT INTO database2 (collection, key, data) VALUES ('', 'b', x'00')")
            // The first to load the foreign state, this reader or the watch, requests it.
            _ = try rows(reader)
            try waitUntil("The extension is back") { try rows(reader) == 1 }
        }
    }
}
