import Foundation
import Testing

@testable import YapDatabase

/// After some errors, even of a read, SQLite rolls the whole transaction back by itself and goes on without one.
@Suite struct LostTransactionTests {
    @Test func aWriteTransactionThatSQLiteEndsLeavesNothingBehind() throws {
        try withBigRow { database throws in
            let connection = try database.newConnection()
            let before = database.snapshot
            expectError(.inputOutput, mentioning: "Check the disk") {
                try connection.readWrite { transaction throws in
                    try transaction.setObject(1, forKey: "first")
                    expectUnreadable(database, transaction)
                    expectError(.inputOutput) { try transaction.setObject(2, forKey: "second") }
                    expectError(.inputOutput) { try transaction.removeObject(forKey: "big") }
                    // From the cache, if anybody asked it.
                    expectError(.inputOutput) { _ = try transaction.object(forKey: "first") }
                    expectError(.inputOutput) { _ = try transaction.numberOfKeysInAllCollections() }
                }
            }
            #expect(database.snapshot == before)
            try connection.readWrite { transaction throws in
                #expect(try transaction.allKeys(inCollection: nil) == ["big", "k"])
                try transaction.setObject(3, forKey: "third")
            }
            #expect(database.snapshot == before + 1)
        }
    }

    @Test func anEnumerationDoesNotGoOnInALostTransaction() throws {
        try withBigRow { database throws in
            let connection = try database.newConnection()
            expectError(.inputOutput) {
                try connection.readWrite { transaction throws in
                    var seen = 0
                    expectError(.inputOutput) {
                        try transaction.iterateKeys(inCollection: nil) { _, _ in
                            seen += 1
                            expectUnreadable(database, transaction)
                        }
                    }
                    #expect(seen == 1)
                }
            }
        }
    }

    @Test func aReadThatSQLiteEndsThrowsAlthoughItsClosureLooksAway() throws {
        try withBigRow { database throws in
            let connection = try database.newConnection()
            expectError(.inputOutput) { try connection.read { expectUnreadable(database, $0) } }
            #expect(try connection.read { try $0.object(forKey: "k") } as? Int == 1)
        }
    }

    @Test func aFrozenStateThatSQLiteEndsIsNotFollowedByAnother() throws {
        try withBigRow { database throws in
            let (writer, reader) = (try database.newConnection(), try database.newConnection())
            try reader.beginLongLivedReadTransaction()
            #expect(try reader.read { try $0.object(forKey: "k") } as? Int == 1)
            try writer.readWrite { try $0.setObject(2, forKey: "k") }
            expectError(.inputOutput) { try reader.read { expectUnreadable(database, $0) } }
            expectError(.inputOutput) { try reader.read { _ in } }
            expectError(.inputOutput) { _ = try reader.read { try $0.numberOfKeysInAllCollections() } }
            #expect(try reader.beginLongLivedReadTransaction().count == 1)
            #expect(try reader.read { try $0.object(forKey: "k") } as? Int == 2)
            expectError(.inputOutput) { try reader.read { expectUnreadable(database, $0) } }
            try reader.endLongLivedReadTransaction()
            #expect(try reader.read { try $0.object(forKey: "k") } as? Int == 2)
        }
    }

    /// A database with a row whose pages are in the log only.
    private func withBigRow(_ body: (YapDatabase) throws -> Void) throws {
        try withTemporaryDatabase { database throws in
            try database.newConnection().readWrite { transaction throws in
                try transaction.setObject(String(repeating: "x", count: 50_000), forKey: "big")
                try transaction.setObject(1, forKey: "k")
            }
            // A store that has read nothing yet.
            database.maxConnectionPoolCount = 0
            try body(database)
        }
    }

    /// Reads the big row while the log cannot be read.
    private func expectUnreadable(_ database: YapDatabase, _ transaction: YapDatabaseReadTransaction) {
        expectError(.inputOutput) {
            let log = try Data(contentsOf: database.databaseURL_wal)
            truncate(database.databaseURL_wal.path, 0)
            let result = Result { try transaction.object(forKey: "big") }
            try FileHandle(forWritingTo: database.databaseURL_wal).write(contentsOf: log)
            _ = try result.get()
        }
    }
}
