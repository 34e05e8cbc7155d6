import Dispatch
import Synchronization
import Testing

@testable import YapDatabase

@Suite struct ConnectionPoolTests {
    @Test func anIdleConnectionIsUsedAgain() throws {
        try withTemporaryDatabase { database throws in
            let pool = YapDatabaseConnectionPool(database: database)
            #expect(try pool.connection() === pool.connection())
        }
    }

    @Test func busyConnectionsMakeRoomForNewOnesUpToTheLimit() throws {
        try withTemporaryDatabase { database throws in
            let pool = YapDatabaseConnectionPool(database: database, limit: 2)
            let created = Atomic(0)
            pool.didCreateNewConnectionBlock = { _ in created.add(1, ordering: .relaxed) }
            let hold = DispatchSemaphore(value: 0)
            var used: [ObjectIdentifier] = []
            for _ in 0..<4 {
                let connection = try pool.connection()
                used.append(ObjectIdentifier(connection))
                connection.asyncRead({ _ in hold.wait() })
            }
            #expect(Set(used).count == 2 && created.load(ordering: .relaxed) == 2)
            #expect(Set(used[0...1]) == Set(used[2...3]))
            for _ in 0..<4 { hold.signal() }
        }
    }

    @Test func thePoolTellsOfEachConnectionAndMayBeAskedMeanwhile() throws {
        try withTemporaryDatabase { database throws in
            let pool = YapDatabaseConnectionPool(database: database, limit: 2)
            var config = YapDatabaseConnectionConfig()
            config.objectCacheLimit = 9
            pool.connectionDefaults = config
            let made = Locked<[Int]>([])
            pool.didCreateNewConnectionBlock = { [unowned pool] connection in
                made.withLock { $0.append(connection.objectCacheLimit + pool.connectionLimit) }
            }
            let first = try pool.connection()
            #expect(try pool.connection() === first && made.withLock { $0 } == [11])
            pool.connectionLimit = 0
            #expect(pool.connectionLimit == 1)
        }
    }

    /// A connection that is one too many frees the objects of its cache when the pool can be asked again.
    @Test func objectsOfASurplusConnectionMayAskThePool() throws {
        final class Asking: Codable, Sendable, Identifiable {
            static let pool = Locked<YapDatabaseConnectionPool?>(nil)
            static let answers = Locked<[Int]>([])
            let id: Int

            init(_ id: Int) { self.id = id }

            deinit {
                guard let pool = Self.pool.withLock({ $0 }) else { return }
                Self.answers.withLock { $0.append(pool.connectionLimit) }
            }
        }
        try withTemporaryDatabase { database throws in
            let pool = YapDatabaseConnectionPool(database: database, limit: 2)
            let asking = YapCollection("asking", of: Asking.self)
            let end = DispatchSemaphore(value: 0)
            try pool.connection().asyncRead { _ in end.wait() }
            let isDistinct = try { () throws -> Bool in
                let second = try pool.connection()
                try second.readWrite { try $0[asking].save(Asking(1)) }
                return second.pendingTransactionCount == 0
            }()
            #expect(isDistinct)
            Asking.pool.withLock { $0 = pool }
            pool.connectionLimit = 1
            // A thread of the database may hold the connection for a moment.
            try waitUntil("the object was freed, and has asked") { Asking.answers.withLock { $0 } == [1] }
            Asking.pool.withLock { $0 = nil }
            end.signal()
            try pool.connection().read { _ in }
        }
    }

    @Test func aTransactionOfAKindThatIsNotPermittedStopsTheProgram() async {
        let stopped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryDatabase { database throws in
                let connection = try database.newConnection()
                connection.permittedTransactions = [.syncRead, .asyncRead]
                try connection.read { _ in }
                try connection.readWrite { _ in }
            }
        }
        #expect(stopped.said("see permittedTransactions"))
    }

    @Test func aTransactionThatEscapesItsClosureStopsTheProgram() async {
        let stopped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryDatabase { database throws in
                var escaped: YapDatabaseReadTransaction?
                let connection = try database.newConnection()
                try connection.read { escaped = $0 }
                _ = try escaped?.object(forKey: "k")
            }
        }
        #expect(stopped.said("used after its closure returned"))
    }
}
