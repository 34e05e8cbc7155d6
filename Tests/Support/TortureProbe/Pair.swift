import Foundation
import TortureLedger
import YapDatabase

/// A writer and two readers, one of them frozen, that must agree on what was committed and on nothing else.
final class Pair {
    let database: YapDatabase
    private let ledger = Ledger(writer: writers[0])
    private let writer: YapDatabaseConnection
    private let reader: YapDatabaseConnection
    private let frozen: YapDatabaseConnection
    private(set) var committed: Int
    private var snapshot: Int

    init(_ database: YapDatabase) throws {
        self.database = database
        writer = try database.newConnection()
        reader = try database.newConnection()
        frozen = try database.newConnection()
        committed = try writer.read { try Ledger(writer: writers[0]).number(in: $0) }
        snapshot = database.snapshot
    }

    func commit(size: Int) throws {
        try writer.readWrite { try ledger.write(committed + 1, size: size, in: $0) }
        committed += 1
        snapshot += 1
    }

    /// Has the frozen reader jump to the newest state.
    func follow() throws { try frozen.beginLongLivedReadTransaction() }

    /// The reader sees what was committed, whether or not anything failed just now.
    func look() throws {
        let found = try reader.read { try ledger.number(in: $0) }
        try require(found == committed, "the reader sees \(found) instead of \(committed)")
    }

    /// Returns the error that ended it.
    func commitUntilItFails(size: Int) throws -> YapDatabaseError {
        try follow()
        for _ in 0..<10_000 {
            do {
                try commit(size: size)
                try follow()
            } catch let error as YapDatabaseError {
                return error
            }
        }
        throw Broken("10,000 transactions found room where there should be none")
    }

    /// The readers, the caches, the view and the notifications know of the committed transactions and of no other.
    func checkNothingShows() throws {
        try require(database.snapshot == snapshot, "the snapshot is \(database.snapshot), not \(snapshot)")
        for (name, connection) in [("writer", writer), ("reader", reader), ("frozen", frozen)] {
            let found = try connection.read { try ledger.number(in: $0) }
            try require(found == committed, "the \(name) sees \(found) instead of \(committed)")
        }
        let passed = try frozen.beginLongLivedReadTransaction()
        try require(passed.isEmpty, "\(passed.count) commits are announced that were not made")
        try frozen.endLongLivedReadTransaction()
    }
}
