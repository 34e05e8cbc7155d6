import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// Writers and readers at once, against a model: every state that a reader sees is one that was committed, states are
/// seen in their order, and a frozen one never changes.
@Suite struct ConcurrencyTests {
    private static let keys = ["a", "b", "c", "d", "e"]

    /// What each commit left behind: the value of every key.
    private final class History: Sendable {
        private let states = Locked<[Int: [String: Int]]>([0: [:]])

        func record(_ state: [String: Int], _ number: Int) { states.withLock { $0[number] = state } }
        subscript(number: Int) -> [String: Int]? { states.withLock { $0[number] } }
    }

    @Test(arguments: Effort.some([1, 2, 3] as [UInt64])) func everySnapshotIsOneCommittedState(seed: UInt64)
        async throws
    {
        try await withTemporaryDatabase { database in
            let history = History()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<3 {
                    group.addTask {
                        try await Self.write(database, history, SplitMix64(seed: seed * 100 + UInt64(index)))
                    }
                }
                for index in 0..<4 {
                    group.addTask { try await Self.read(database, history, isFrozen: index % 2 == 0) }
                }
                try await group.waitForAll()
            }
            #expect(database.snapshot == 3 * 40)
        }
    }

    private static func write(_ database: YapDatabase, _ history: History, _ random: SplitMix64) async throws {
        let connection = try database.newConnection()
        let random = Locked(random)
        for _ in 0..<40 {
            try await connection.write { transaction in
                var random = random.withLock { generator in
                    defer { _ = generator.next() }
                    return generator
                }
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let key = keys.randomElement(using: &random)!
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        try transaction.removeObject(forKey: key)
                    } else {
                        try transaction.setObject(Int.random(in: 0..<1000, using: &random), forKey: key)
                    }
                }
                // Always an effect, so that every transaction is a commit.
                try transaction.setObject(Int.random(in: 0..<1_000_000, using: &random), forKey: "a")
                history.record(try state(transaction), transaction.snapshot.number + 1)
            }
        }
    }

    private static func read(_ database: YapDatabase, _ history: History, isFrozen: Bool) async throws {
        let connection = try database.newConnection()
        var last = 0
        while last < 3 * 40 {
            if isFrozen { try connection.beginLongLivedReadTransaction() }
            let (number, first) = try await connection.read { ($0.snapshot.number, try state($0)) }
            #expect(number >= last)
            #expect(first == history[number], "snapshot \(number)")
            if isFrozen {
                await Task.yield()
                let again = try await connection.read { ($0.snapshot.number, try state($0)) }
                #expect(again.0 == number && again.1 == first)
            }
            last = number
        }
    }

    private static func state(_ transaction: YapDatabaseReadTransaction) throws -> [String: Int] {
        var state: [String: Int] = [:]
        for key in keys {
            let value = try transaction.object(forKey: key) as? Int
            state[key] = value
            // What the cache says and what the file says must be the same.
            let stored = try transaction.serializedObject(forKey: key).map { try KeyedArchive.decode($0) as? Int }
            #expect(stored == value.map { .some($0) })
        }
        return state
    }
}
