import Foundation
import Synchronization
import Testing

@testable import YapDatabase

@Suite struct LogSizeTests {
    private static var options: YapDatabaseOptions {
        var options = YapDatabaseOptions.forTests
        options.aggressiveWALTruncationSize = 1 << 18
        return options
    }

    private func logSize(_ database: YapDatabase) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: database.databaseURL_wal.path)[.size] as? Int ?? 0
    }

    private static func bytes(_ connection: YapDatabaseConnection, _ key: String) throws -> Data? {
        try connection.read { try $0.serializedObject(forKey: key) }
    }

    private static func jump(_ reader: YapDatabaseConnection, until isDone: Flag) async throws {
        while !isDone.value.load(ordering: .relaxed) {
            try reader.beginLongLivedReadTransaction()
            _ = try bytes(reader, "7")
            await Task.yield()
        }
    }

    /// Commits about 3 MB of pages; 7 MB with another text in each commit: one that is stored already is not written.
    private func writeMuch(_ database: YapDatabase, changing: Bool = false) async throws {
        let connection = try database.newConnection()
        let text = String(repeating: "x", count: 12_000)
        for number in 0..<600 {
            try await connection.write {
                try $0.setObject(changing ? "\(number) \(text)" : text, forKey: "\(number % 50)")
            }
        }
    }

    @Test func readersThatJumpLetTheLogRestart() async throws {
        try await withTemporaryDatabase(options: Self.options) { database in
            let isDone = Flag()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for reader in [try database.newConnection(), try database.newConnection()] {
                    group.addTask { try await Self.jump(reader, until: isDone) }
                }
                try await writeMuch(database)
                isDone.value.store(true, ordering: .relaxed)
                try await group.waitForAll()
            }
            #expect(try logSize(database) < 6 << 20)
        }
    }

    /// Shorter than the log at which a checkpoint is made, and a little longer than it: the log reaches that soon after a checkpoint, and never
    /// another 1,000 pages.
    @Test(.timeLimit(.minutes(5)), arguments: [1 << 18, 4 << 20])
    func aReaderThatNeverJumpsIsNamedAndKeepsItsState(limit: Int) async throws {
        let (warnings, continuation) = AsyncStream<(connection: ObjectIdentifier, size: Int)>.makeStream()
        var options = Self.options
        options.aggressiveWALTruncationSize = limit
        options.logSizeWarning = { continuation.yield((ObjectIdentifier($0), $1)) }
        try await withTemporaryDatabase(options: options) { database in
            let (reader, idle) = (try database.newConnection(), try database.newConnection())
            try await idle.write { try $0.setObject("first", forKey: "k") }
            try reader.beginLongLivedReadTransaction()
            try await writeMuch(database, changing: true)
            #expect(try Self.bytes(reader, "k") == KeyedArchive.encode("first"))
            #expect(try Self.bytes(reader, "7") == nil)
            for await warning in warnings {
                #expect(warning.connection == ObjectIdentifier(reader) && warning.size >= limit)
                break
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func aReaderThatNeverJumpsLosesItsStateAtTheLimit() async throws {
        var options = Self.options
        options.logSizeLimit = 1 << 20
        try await withTemporaryDatabase(options: options) { database in
            let (reader, current) = (try database.newConnection(), try database.newConnection())
            try await current.write { try $0.setObject("first", forKey: "k") }
            try reader.beginLongLivedReadTransaction()
            let before = reader.snapshot
            // Its readers jump after each commit, as those of a screen do.
            let isDone = Flag()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await Self.jump(current, until: isDone) }
                try await writeMuch(database)
                isDone.value.store(true, ordering: .relaxed)
                try await group.waitForAll()
            }
            try waitUntil("The state is given up") {
                do { _ = try Self.bytes(reader, "k") } catch let error as YapDatabaseError {
                    return error.code == .stateGivenUp
                }
                try database.newConnection().readWrite { try $0.setObject("more", forKey: "more") }
                return false
            }
            #expect(try logSize(database) < 6 << 20)
            // What was given up is neither waited for nor named any more, so that the log begins again also beside a writer that never pauses.
            try current.endLongLivedReadTransaction()
            #expect(database.oldestStay == nil && reader.isInLongLivedReadTransaction())
            let commits = try reader.jump()
            #expect(!commits.isEmpty && reader.snapshot > before)
            #expect(try Self.bytes(reader, "7") != nil)
        }
    }

    @Test func anIdleFrozenReaderOnTheNewestStateDoesNotHoldUpTheLog() async throws {
        try await withTemporaryDatabase(options: Self.options) { database in
            let reader = try database.newConnection()
            try await writeMuch(database)
            try reader.beginLongLivedReadTransaction()
            let before = try Self.bytes(reader, "7")
            reader.later { reader.stepOutOfLog() }
            #expect(try before != nil && Self.bytes(reader, "7") == before)
            #expect(reader.current.version == database.commitLog.latest.version)
        }
    }
}

/// The same with a reader in one process and the writer in another.
@Suite struct ForeignLogSizeTests {
    private struct LogOnlyGrows: Error {}

    private static var options: YapDatabaseOptions {
        var options = YapDatabaseOptions.forTests
        options.aggressiveWALTruncationSize = 1 << 18
        return options
    }

    /// The parent and the child must find the same file, and only the parent's process id is known to both.
    private static func url(of process: Int32) -> URL {
        FileManager.default.temporaryDirectory.appending(path: "yap-log-\(process).sqlite")
    }

    @Test func aReaderOfAnotherProcessThatJumpsLetsTheLogRestart() async throws {
        let url = Self.url(of: getpid())
        defer { Self.remove(url) }
        let database = try YapDatabase(url: url, options: Self.options)
        let reader = try database.newConnection()
        try reader.beginLongLivedReadTransaction()
        let isDone = Locked(false)
        let jumps = DispatchGroup()
        DispatchQueue.global().async(group: jumps) {
            while !isDone.withLock({ $0 }) {
                if reader.snapshot != database.snapshot { _ = try? reader.beginLongLivedReadTransaction() }
                // Its pace: it lags behind a little.
                usleep(1_000)
            }
        }
        await #expect(processExitsWith: .success) { try Self.writeUntilTheLogRestarts() }
        isDone.withLock { $0 = true }
        try jumps.wait(for: "The reader has ended")
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }

    private static func writeUntilTheLogRestarts() throws {
        let database = try YapDatabase(url: url(of: getppid()), options: options)
        let connection = try database.newConnection()
        let text = String(repeating: "x", count: 12_000)
        var patience = Patience()
        var written = 0
        while patience.next() {
            try connection.readWrite { try $0.setObject(text, forKey: "\(written % 50)") }
            written += text.utf8.count
            let attributes = try FileManager.default.attributesOfItem(atPath: database.databaseURL_wal.path)
            let size = attributes[.size] as? Int ?? 0
            // Without a reader that stays in this process, the log may grow to sixteen times the size that is aimed at.
            if written > 64 * options.aggressiveWALTruncationSize, size < written / 2 { return try database.close() }
            // Its pace: the reader in the other process jumps.
            usleep(2_000)
        }
        throw LogOnlyGrows()
    }

    private static func remove(_ url: URL) {
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: url.path + suffix)
        }
    }
}
