import Foundation
import Synchronization
import Testing
import YapDatabase

/// Tasks that wait for commits.
@Suite struct CommitConsumersTests {
    /// An executor that notes from which threads it is given work.
    private final class NotingExecutor: SerialExecutor {
        private let queue = DispatchQueue(label: "noting")
        private let noted = Mutex<Set<UInt>>([])

        var threads: Set<UInt> { noted.withLock { $0 } }

        func forget() { noted.withLock { $0 = [] } }

        func enqueue(_ job: consuming ExecutorJob) {
            _ = noted.withLock { $0.insert(UInt(pthread_self())) }
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private actor Consumer {
        let executor: NotingExecutor
        private(set) var seen: [Int] = []

        init(_ executor: NotingExecutor) { self.executor = executor }

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func follow(_ commits: YapDatabaseCommits, onCommit: () -> Void) async {
            for await commit in commits {
                seen.append(commit.snapshot)
                onCommit()
            }
        }
    }

    @Test func aConsumerIsResumedByTheThreadThatCommits() async throws {
        try await withTemporaryDatabase { database in
            let connection = try database.newConnection()
            let executor = NotingExecutor()
            let consumer = Consumer(executor)
            let commits = database.commits
            let isHere = DispatchSemaphore(value: 0)
            let following = Task { await consumer.follow(commits) { isHere.signal() } }
            let threads = try await Self.commitOneByOne(20, connection, executor, waitFor: isHere)
            following.cancel()
            await following.value
            #expect(await consumer.seen == Array(1...20))
            // The task itself may begin during the first commit; a commit that comes before the consumer waits needs no executor.
            #expect(threads.dropFirst().allSatisfy { $0.noted.isSubset(of: [$0.own]) }, "\(threads)")
            #expect(threads.dropFirst().contains { !$0.noted.isEmpty })
        }
    }

    private struct Threads { let own: UInt, noted: Set<UInt> }

    /// Commits on a thread of its own, each time when the consumer waits for it.
    private static func commitOneByOne(
        _ count: Int, _ connection: YapDatabaseConnection, _ executor: NotingExecutor, waitFor isHere: DispatchSemaphore
    ) async throws -> [Threads] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        try (0..<count).map { number in
                            executor.forget()
                            try connection.readWrite { try $0.setObject(number, forKey: "k") }
                            isHere.wait()
                            let noted = executor.threads
                            // It goes back to its executor and waits again, of which there is no sign.
                            usleep(2_000)
                            return Threads(own: UInt(pthread_self()), noted: noted)
                        }
                    })
            }
        }
    }

    @Test func severalConsumersOfOneSequenceTakeEachCommitOnce() async throws {
        try await withTemporaryDatabase { database in
            let commits = database.commits
            let connection = try database.newConnection()
            let count = 3_000
            let seen = try await withThrowingTaskGroup(of: [Int].self) { group in
                for _ in 0..<4 {
                    group.addTask { await commits.reduce(into: []) { $0.append($1.snapshot) } }
                }
                for number in 1...count {
                    try await connection.write { try $0.setObject(number, forKey: "k") }
                    // Now and then they catch up and wait.
                    if number % 7 == 0 { await Task.yield() }
                    if number % 100 == 0 { try await Task.sleep(for: .milliseconds(1)) }
                }
                try database.close()
                return try await group.reduce(into: [[Int]]()) { $0.append($1) }
            }
            #expect(seen.joined().sorted() == Array(1...count))
            #expect(seen.allSatisfy { $0 == $0.sorted() })
        }
    }

    @Test func cancellingATaskThatWaitsEndsItsSequence() async throws {
        try await withTemporaryDatabase { database in
            let commits = database.commits
            let waiting = (0..<3).map { _ in Task { await commits.first { _ in true }?.snapshot } }
            // They begin to wait, of which there is no sign.
            try await Task.sleep(for: .milliseconds(20))
            waiting[0].cancel()
            for task in waiting { #expect(await task.value == nil) }
            let late = Task { await commits.first { _ in true }?.snapshot }
            #expect(await late.value == nil)
        }
    }

    @Test func aTaskThatIsCancelledAlreadyDoesNotWait() async throws {
        try await withTemporaryDatabase { database in
            let commits = database.commits
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await commits.first { _ in true }?.snapshot
            }
            #expect(await task.value == nil)
        }
    }

    @Test func aDatabaseThatIsReleasedEndsTheWait() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appending(path: "t.sqlite")
            var database: YapDatabase? = try YapDatabase(url: url)
            let commits = try #require(database).commits
            let task = Task { await commits.first { _ in true }?.snapshot }
            // It begins to wait, of which there is no sign.
            try await Task.sleep(for: .milliseconds(20))
            database = nil
            #expect(await task.value == nil)
            #expect(try YapDatabase.check(url: url) == [])
        }
    }
}
