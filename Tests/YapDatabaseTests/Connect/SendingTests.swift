import TestSupport
import Testing

@testable import YapDatabase

/// Async transactions take and return values that are not `Sendable`.
@Suite struct SendingTests {
    private final class Counter {
        var count = 0
    }

    @Test func aClosureMayCaptureAndReturnWhatIsNotSendable() async throws {
        try await withTemporaryFolder { folder in
            let database = try YapDatabase(path: folder.appending(path: "db.sqlite").path)
            let connection = try database.newConnection()
            let counter = Counter()
            counter.count = 5
            let written = try await connection.readWrite { transaction in
                let written = Counter()
                while counter.count > 0 {
                    counter.count -= 1
                    written.count += 1
                    try transaction.setObject(1, forKey: "\(counter.count)", inCollection: "c")
                }
                return written
            }
            written.count += 1
            #expect(written.count == 6)

            let read = try await connection.read { transaction in
                let counter = Counter()
                counter.count = try transaction.numberOfKeys(inCollection: "c")
                return counter
            }
            #expect(read.count == 5)
            try database.close()
            #expect(try YapDatabase.check(url: folder.appending(path: "db.sqlite")) == [])
        }
    }

    @Test func inAsyncCodeTheSyncFormsHaveNamesOfTheirOwn() async throws {
        try await withTemporaryFolder { folder in
            let database = try YapDatabase(path: folder.appending(path: "db.sqlite").path)
            let connection = try database.newConnection()
            try connection.syncReadWrite { try $0.setObject(1, forKey: "k", inCollection: "c") }
            await Task.yield()
            var sum = 0
            try connection.syncRead { sum += try $0.object(forKey: "k", inCollection: "c") as? Int ?? 0 }
            #expect(sum == 1)
            try database.close()
            #expect(try YapDatabase.check(url: folder.appending(path: "db.sqlite")) == [])
        }
    }

    private static func save(_ transaction: YapDatabaseReadWriteTransaction) throws {
        try transaction.setObject(1, forKey: "k", inCollection: "c")
    }

    private static func count(_ transaction: YapDatabaseReadTransaction) throws -> Int {
        try transaction.numberOfKeys(inCollection: "c")
    }

    @Test func aFunctionMayStandForTheClosure() async throws {
        try await withTemporaryDatabase { database async throws in
            let connection = try database.newConnection()
            try await connection.readWrite(Self.save)
            let remove: @Sendable (YapDatabaseReadWriteTransaction) throws -> Int = { transaction in
                try transaction.removeAllObjects(inCollection: "d")
                return try Self.count(transaction)
            }
            #expect(try await connection.write(remove) == 1)
            #expect(try await connection.read(Self.count) == 1)
        }
    }
}
