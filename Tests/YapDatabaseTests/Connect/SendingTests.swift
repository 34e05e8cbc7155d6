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
            let written = try await connection.readWrite { transaction in
                for number in 0..<5 {
                    try transaction.setObject("\(number)", forKey: "\(number)", inCollection: "c")
                    counter.count += 1
                }
                return counter
            }
            written.count += 1
            #expect(written.count == 6)

            let read = try await connection.read { transaction in
                let counter = Counter()
                counter.count = transaction.numberOfKeys(inCollection: "c")
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
            var sum = 0
            try connection.syncRead { sum += $0.object(forKey: "k", inCollection: "c") as? Int ?? 0 }
            #expect(sum == 1)
            try database.close()
            #expect(try YapDatabase.check(url: folder.appending(path: "db.sqlite")) == [])
        }
    }
}
