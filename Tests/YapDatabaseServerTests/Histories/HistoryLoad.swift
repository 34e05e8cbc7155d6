import Foundation
import SeededRandom
import Synchronization
import Testing

@testable import YapDatabaseServer

/// The operations that the clients of a history share.
final class HistoryLoad: Sendable {
    private let operations: Int
    private let clients: Int
    private let next = Atomic(0)
    private let ended = Atomic(0)

    init(operations: Int, clients: Int) { (self.operations, self.clients) = (operations, clients) }

    /// How many operations have begun, and some more at the end.
    var begun: Int { next.load(ordering: .relaxed) }
    var isDone: Bool { ended.load(ordering: .acquiring) == clients }

    /// Does operations of one client, on a connection of its own, until none is left.
    /// - Parameter operate: does the operation of a number.
    func run(
        _ database: YapDatabase, seed: UInt64,
        _ operate: (_ number: Int, _ random: inout SplitMix64, _ connection: YapDatabaseConnection) throws -> Void
    ) {
        defer { ended.add(1, ordering: .releasing) }
        var random = SplitMix64(seed: seed)
        do {
            let connection = try database.newConnection()
            while let operation = take() { try operate(operation, &random, connection) }
        } catch { Issue.record(error) }
    }

    private func take() -> Int? {
        let number = next.add(1, ordering: .relaxed).oldValue
        return number < operations ? number : nil
    }
}

/// The rows of a history: lists of texts, accounts and a counter.
enum HistoryRows {
    static let accounts = 8
    /// What is in all accounts together.
    static let money = 800

    static func openAccounts(_ database: YapDatabase) throws {
        try database.newConnection().readWrite { transaction in
            for account in 0..<accounts {
                try transaction.setObject("\(money / accounts)", forKey: "\(account)", inCollection: "bank")
            }
        }
    }

    static func append(_ element: String, to list: String, _ transaction: YapDatabaseReadWriteTransaction) throws {
        let present = try transaction.object(forKey: list, inCollection: "lists") as? String
        try transaction.setObject(present.map { "\($0) \(element)" } ?? element, forKey: list, inCollection: "lists")
    }

    /// - Returns: false if the account has too little.
    @discardableResult
    static func transfer(
        _ amount: Int, from: Int, to: Int, _ transaction: YapDatabaseReadWriteTransaction
    ) throws -> Bool {
        let rest = try number(transaction, "\(from)", "bank") - amount
        guard rest >= 0 else { return false }
        if from == to { return true }
        try transaction.setObject("\(rest)", forKey: "\(from)", inCollection: "bank")
        let more = try number(transaction, "\(to)", "bank") + amount
        try transaction.setObject("\(more)", forKey: "\(to)", inCollection: "bank")
        return true
    }

    static func countUp(_ transaction: YapDatabaseReadWriteTransaction) throws {
        let count = try count(transaction)
        try transaction.setObject("\(count + 1)", forKey: "count", inCollection: "counts")
    }

    static func count(_ transaction: YapDatabaseReadTransaction) throws -> Int {
        try number(transaction, "count", "counts")
    }

    static func sum(_ transaction: YapDatabaseReadTransaction) throws -> Int {
        try (0..<accounts).reduce(0) { try $0 + number(transaction, "\($1)", "bank") }
    }

    static func elements(of list: String, _ transaction: YapDatabaseReadTransaction) throws -> [Substring] {
        (try transaction.object(forKey: list, inCollection: "lists") as? String)?.split(separator: " ") ?? []
    }

    private static func number(
        _ transaction: YapDatabaseReadTransaction, _ key: String, _ collection: String
    ) throws -> Int {
        (try transaction.object(forKey: key, inCollection: collection) as? String).flatMap { Int($0) } ?? 0
    }
}
