import FileEngine
import SQLiteBridge
import Testing

@testable import YapDatabase

/// A connection that only reads caches less of the file than one that writes, whatever the file says.
@Suite struct PageCacheLimitTests {
    private func cacheSize(_ connection: YapDatabaseConnection) throws -> Int {
        try connection.exclusively { try connection.store().pragma("cache_size") }
    }

    @Test func itGrowsWithTheFirstWrite() throws {
        try withTemporaryDatabase { database throws in
            let (reader, writer) = (try database.newConnection(), try database.newConnection())
            #expect(try reader.read { try $0.object(forKey: "k") } == nil)
            #expect(try cacheSize(reader) == -1_500)
            #expect(try cacheSize(writer) == -1_500)
            try writer.readWrite { try $0.setObject(1, forKey: "k") }
            #expect(try cacheSize(writer) == -2_000)
            // SQLite reads the schema again.
            let view = YapDatabaseAutoView(
                grouping: .withKeyBlock { _, _, _ in "" }, sorting: .withKeyBlock { _, _, _, _, _, _ in .orderedSame })
            try database.register(view, withName: "view")
            #expect(try reader.read { try $0.object(forKey: "k") } as? Int == 1)
            try writer.readWrite { try $0.setObject(2, forKey: "k") }
            #expect(try cacheSize(reader) == -1_500)
            #expect(try cacheSize(writer) == -2_000)
        }
    }

    @Test func aSizeThatTheFileNamesIsNotUsed() throws {
        try withCopy(of: "books") { url in
            do {
                let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
                try handle.execute("PRAGMA default_cache_size = 1000000")
            }
            let database = try YapDatabase(url: url, options: .forTests)
            #expect(try cacheSize(database.newConnection()) == -1_500)
            try database.close()
        }
    }
}
