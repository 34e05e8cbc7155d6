import FileEngine
import SQLiteBridge
import Testing

@testable import YapDatabase

/// A connection caches the same of the file whatever that says, and more only while it changes many rows.
@Suite struct PageCacheLimitTests {
    private func cacheSize(_ connection: YapDatabaseConnection) throws -> Int {
        try connection.exclusively { try connection.store().pragma("cache_size") }
    }

    @Test func pageCacheGrowsInALargeWrite() throws {
        try withTemporaryDatabase { database throws in
            let (reader, writer) = (try database.newConnection(), try database.newConnection())
            #expect(try reader.read { try $0.object(forKey: "k") } == nil)
            #expect(try cacheSize(reader) == -1_500)
            #expect(try cacheSize(writer) == -1_500)
            try writer.readWrite { transaction in
                try transaction.setObject(1, forKey: "k")
                #expect(try transaction.store.pragma("cache_size") == -1_500)
                for number in 0..<300 { try transaction.setObject(number, forKey: "\(number)") }
                #expect(try transaction.store.pragma("cache_size") == -2_000)
            }
            #expect(try cacheSize(writer) == -1_500)
            try writer.readWrite { transaction in
                for number in 0..<300 { try transaction.setObject(-number, forKey: "\(number)") }
                #expect(try transaction.store.pragma("cache_size") == -2_000)
                transaction.rollback()
            }
            #expect(try cacheSize(writer) == -1_500)
            // SQLite reads the schema again.
            let view = YapDatabaseAutoView(
                grouping: .withKeyBlock { _, _, _ in "" }, sorting: .withKeyBlock { _, _, _, _, _, _ in .orderedSame })
            try database.register(view, withName: "view")
            #expect(try reader.read { try $0.object(forKey: "k") } as? Int == 1)
            try writer.readWrite { try $0.setObject(2, forKey: "k") }
            #expect(try cacheSize(reader) == -1_500)
            #expect(try cacheSize(writer) == -1_500)
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
