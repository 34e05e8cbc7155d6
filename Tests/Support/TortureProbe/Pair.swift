import Foundation
import TortureLedger
import YapDatabase

/// A writer and two readers, one of them in a long-lived transaction, that must agree on what was committed.
final class Pair {
    let database: YapDatabase
    private let ledger = Ledger(writer: writers[0])
    private let writer: YapDatabaseConnection
    private let reader: YapDatabaseConnection
    private let frozen: YapDatabaseConnection
    /// Stays on its state while the disk fills. Without it the log begins again, and small commits need no room.
    private let anchor: YapDatabaseConnection
    private(set) var committed: Int
    private var snapshot: Int

    init(_ database: YapDatabase) throws {
        self.database = database
        writer = try database.newConnection()
        reader = try database.newConnection()
        frozen = try database.newConnection()
        anchor = try database.newConnection()
        committed = try writer.read { try Ledger(writer: writers[0]).number(in: $0) }
        snapshot = database.snapshot
    }

    func commit(size: Int) throws {
        try writer.readWrite { try ledger.write(committed + 1, size: size, in: $0) }
        committed += 1
        snapshot += 1
    }

    /// Makes the long-lived reader jump to the newest state.
    func follow() throws { try frozen.beginLongLivedReadTransaction() }

    /// Checks that the reader sees what was committed, after failures too.
    func look() throws {
        let found = try reader.read { try ledger.number(in: $0) }
        try require(found == committed, "the reader sees \(found) instead of \(committed)")
    }

    /// Commits until a commit fails and returns its error.
    func commitUntilItFails(size: Int) throws -> YapDatabaseError {
        try anchor.beginLongLivedReadTransaction()
        defer { try? anchor.endLongLivedReadTransaction() }
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

    /// Checks that the readers, the caches, the view and the notifications contain only committed transactions.
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
