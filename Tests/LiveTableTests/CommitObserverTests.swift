import LiveTable
import TestSupport
import Testing

@Suite @MainActor struct CommitObserverTests {
    @Test func eachCommitIsObservedWithoutNotifications() async throws {
        try await withDatabase { database, connection in
            let (seen, continuation) = AsyncStream<Int>.makeStream()
            let observer = CommitObserver(database) { continuation.yield($0.snapshot) }
            for number in 1...3 { try await set(number, on: connection) }
            var numbers = seen.makeAsyncIterator()
            let first = await [numbers.next(), numbers.next(), numbers.next()]
            #expect(first == [1, 2, 3])
            observer.stop()
            try await set(4, on: connection)
            try database.close()
            continuation.finish()
            #expect(await numbers.next() == nil)
        }
    }

    private func set(_ number: Int, on connection: YapDatabaseConnection) async throws {
        try await connection.readWrite { try $0.setObject(["\(number)"], forKey: "k") }
    }

    private func withDatabase(
        _ body: @MainActor (YapDatabase, YapDatabaseConnection) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            var options = YapDatabaseOptions()
            options.postsNotifications = false
            let database = try YapDatabase(url: folder.appending(path: "test.sqlite"), options: options)
            database.registerCodableSerialization([String].self, forCollection: nil)
            try await body(database, database.newConnection())
        }
    }
}
