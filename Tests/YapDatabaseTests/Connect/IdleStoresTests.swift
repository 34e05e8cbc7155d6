import Foundation
import Testing

@testable import YapDatabase

/// `maxConnectionPoolCount` and `connectionPoolLifetime`.
@Suite struct IdleStoresTests {
    /// Makes so many connections at once, which are gone when it returns.
    private func comeAndGo(_ count: Int, _ database: YapDatabase) throws {
        let connections = try (0..<count).map { _ in try database.newConnection() }
        for connection in connections { _ = try connection.read { try $0.numberOfKeysInAllCollections() } }
    }

    private func store(_ connection: YapDatabaseConnection) throws -> Store {
        try connection.inOrder { try connection.store() }
    }

    @Test func aNewConnectionTakesUpWhatOneThatWentAwayLeft() throws {
        try withTemporaryDatabase { database throws in
            try database.register(RecordingExtension(), withName: "recorder")
            // The notification of the commit holds the connection that registered for a moment.
            try waitUntil("One store is idle") { database.idleStores.count == 1 }
            let writer = try database.newConnection()
            try writer.readWrite { try $0.setObject("old", forKey: "k") }
            var first: YapDatabaseConnection? = try database.newConnection()
            let left = try store(#require(first))
            #expect(try first?.read { try $0.object(forKey: "k") } as? String == "old")
            first = nil
            #expect(database.idleStores.count == 1)

            // The next connection is a new one in everything but the handle.
            try writer.readWrite { try $0.setObject("new", forKey: "k") }
            var config = YapDatabaseConnectionConfig()
            config.objectCacheLimit = 7
            let second = try database.newConnection(config)
            #expect(try store(second) === left && database.idleStores.count == 0)
            #expect(second.snapshot == database.snapshot && second.objectCacheLimit == 7)
            #expect(try second.read { try $0.object(forKey: "k") } as? String == "new")
            #expect(try second.read { ($0.ext("recorder") as? RecordingTransaction)?.rows } == 1)
            try second.readWrite { try $0.setObject("newer", forKey: "k") }
            #expect(try writer.read { try $0.object(forKey: "k") } as? String == "newer")
        }
    }

    @Test func aConnectionThatGoesAwayInALongLivedReadLeavesNoTransaction() throws {
        try withTemporaryDatabase { database throws in
            let writer = try database.newConnection()
            try writer.readWrite { try $0.setObject(1, forKey: "k") }
            var reader: YapDatabaseConnection? = try database.newConnection()
            try reader?.beginLongLivedReadTransaction()
            try writer.readWrite { try $0.setObject(2, forKey: "k") }
            #expect(try reader?.read { try $0.object(forKey: "k") } as? Int == 1)
            let left = try store(#require(reader))
            reader = nil
            #expect(database.idleStores.count == 1 && left.handle.isAutocommit)
            let next = try database.newConnection()
            #expect(try store(next) === left)
            #expect(try next.read { try $0.object(forKey: "k") } as? Int == 2)
        }
    }

    @Test func idleStoresAreKeptUpToTheLimit() throws {
        try withTemporaryDatabase { database throws in
            #expect(database.maxConnectionPoolCount == 5 && database.connectionPoolLifetime == 90)
            try comeAndGo(7, database)
            #expect(database.idleStores.count == 5)
            database.maxConnectionPoolCount = 2
            #expect(database.idleStores.count == 2)
            try comeAndGo(4, database)
            #expect(database.idleStores.count == 2)
            database.maxConnectionPoolCount = 0
            try comeAndGo(1, database)
            #expect(database.idleStores.count == 0)
            database.maxConnectionPoolCount = -1
            #expect(database.maxConnectionPoolCount == 0)
        }
    }

    @Test func unusedStoresAreClosed() throws {
        try withTemporaryDatabase { database throws in
            database.connectionPoolLifetime = 0.02
            try comeAndGo(3, database)
            try waitUntil("The idle stores are closed") { database.idleStores.count == 0 }
            // Also where the lifetime ends earlier than it was to.
            database.connectionPoolLifetime = 0
            try comeAndGo(3, database)
            weak var kept: Store?
            do {
                let connection = try database.newConnection()
                kept = try store(connection)
            }
            #expect(database.idleStores.count == 3 && kept != nil)
            database.connectionPoolLifetime = 0.001
            try waitUntil("The store is closed") { kept == nil }
            #expect(database.idleStores.count == 0)
        }
    }

    @Test func aClosedDatabaseKeepsNothing() throws {
        try withTemporaryDatabase { database throws in
            try comeAndGo(3, database)
            #expect(database.idleStores.count == 3)
            try database.close()
            #expect(database.idleStores.count == 0)
            // A connection that goes away while the database is closed leaves nothing either.
            database.maxConnectionPoolCount = 9
            database.idleStores.add(
                try Store(path: database.databaseURL.path, mode: .readWrite, busyTimeout: 0))
            #expect(database.idleStores.count == 0)
        }
    }
}
