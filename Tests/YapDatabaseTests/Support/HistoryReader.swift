import Foundation

@testable import YapDatabase

/// Reads whole states until the writers are done, and compares each with the history.
struct HistoryReader {
    private let connection: YapDatabaseConnection
    private let history: CommitHistory
    private var random: SplitMix64
    private var last = 0

    init(_ database: YapDatabase, _ history: CommitHistory, _ random: SplitMix64) throws {
        connection = try database.newConnection()
        self.history = history
        self.random = random
    }

    /// Reads what is newest, again and again.
    consuming func follow() throws {
        while !history.isOver {
            let before = history.newestReturned
            let (number, state) = try connection.read { try Self.state($0) }
            try check(number, state, atLeast: before)
            last = number
        }
    }

    /// Freezes a state, looks at it several times, jumps to the newest.
    consuming func jump() throws {
        while !history.isOver {
            let before = history.newestReturned
            let passed = try connection.beginLongLivedReadTransaction()
            let (number, state) = try connection.read { try Self.state($0) }
            try check(number, state, atLeast: before)
            if last > 0 { try checkNames(passed, from: last, to: state) }
            for _ in 0..<Int.random(in: 0..<3, using: &random) {
                // Time is the subject: others commit in it.
                usleep(UInt32.random(in: 0..<2_000, using: &random))
                let again = try connection.read { try Self.state($0) }
                guard again == (number, state) else {
                    throw OutOfOrder(description: "the frozen state \(number) became \(again)")
                }
            }
            last = number
        }
        try connection.endLongLivedReadTransaction()
    }

    private func check(_ number: Int, _ state: CommitHistory.State, atLeast before: Int) throws {
        guard number >= last, number >= before else {
            throw OutOfOrder(description: "\(number) was seen after \(last), and after \(before) had returned")
        }
        guard let expected = history[number], state == expected else {
            throw OutOfOrder(
                description: "\(number) is seen as \(state), not as \(String(describing: history[number]))")
        }
    }

    private func checkNames(_ passed: [Notification], from number: Int, to state: CommitHistory.State) throws {
        let old = history[number]?.rows ?? [:]
        for key in Set(old.keys).union(state.rows.keys) where old[key] != state.rows[key] {
            guard connection.hasChange(forKey: key, inCollection: "c", in: passed) else {
                throw OutOfOrder(description: "the jump from \(number) over \(passed.count) commits hides \(key)")
            }
        }
    }

    /// Through the caches and through the view.
    private static func state(_ transaction: YapDatabaseReadTransaction) throws -> (Int, CommitHistory.State) {
        var state = CommitHistory.State()
        try transaction.iterateKeysAndObjects(inCollection: "c") { (key, item: Item, _) in state.rows[key] = item }
        guard let view = transaction.ext("items") as? YapDatabaseViewTransaction else {
            throw OutOfOrder(description: "there is no view")
        }
        for group in view.allGroups() {
            try view.iterateKeysAndObjects(inGroup: group) { _, key, object, _, _ in
                state.groups[group, default: []].append(key)
                guard object as? Item == state.rows[key] else {
                    throw OutOfOrder(description: "the view shows \(object) as \(key)")
                }
            }
        }
        return (transaction.snapshot.number, state)
    }
}
