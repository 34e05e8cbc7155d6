import Foundation

@testable import YapDatabase

/// Writes random rows; one time in ten it fails in the end, and all of it must be gone.
struct HistoryWriter {
    private struct Refused: Error {}
    private static let keys = (0..<30).map { "k\($0)" }

    private let connection: YapDatabaseConnection
    private let history: CommitHistory
    private var random: SplitMix64

    init(_ database: YapDatabase, _ history: CommitHistory, _ random: SplitMix64) throws {
        connection = try database.newConnection()
        self.history = history
        self.random = random
    }

    /// Makes so many transactions, and more until the moment has come.
    consuming func run(_ count: Int, until end: ContinuousClock.Instant) throws {
        var made = 0
        while made < count || ContinuousClock.now < end {
            made += 1
            do {
                let number = try connection.readWrite { try write($0) }
                history.returned(number)
            } catch is Refused {}
        }
    }

    private mutating func write(_ transaction: YapDatabaseReadWriteTransaction) throws -> Int {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let key = Self.keys.randomElement(using: &random)!
            if Int.random(in: 0..<4, using: &random) == 0 {
                try transaction.removeObject(forKey: key, inCollection: "c")
            } else {
                let group = ["a", "b", nil].randomElement(using: &random)!
                let item = Item(group: group, sort: Int.random(in: 0..<20, using: &random), text: "\(random.next())")
                try transaction.setObject(item, forKey: key, inCollection: "c")
            }
        }
        // Always an effect, so that every transaction is a commit.
        let last = Item(group: "a", sort: 0, text: "\(random.next())")
        try transaction.setObject(last, forKey: "last", inCollection: "c")
        var rows: [String: Item] = [:]
        try transaction.iterateKeysAndObjects(inCollection: "c") { (key, item: Item, _) in rows[key] = item }
        let number = transaction.snapshot.number + 1
        history.record(rows, number)
        if Int.random(in: 0..<10, using: &random) == 0 { throw Refused() }
        return number
    }
}
