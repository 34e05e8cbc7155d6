import Foundation
import ListChanges

/// What `YapDatabase.migrate` has done.
public struct YapMigrationResult: Hashable, Sendable {
    /// How many rows were written in the newest version.
    public var migrated = 0
    /// The first rows that cannot be read, also by the migrations. They stay as they are.
    public var problems: [YapDatabaseUndecodableRow] = []
    /// How many more rows cannot be read.
    public var otherProblems = 0
}

extension YapDatabase {
    /// Writes all rows of a collection that are of older versions in the newest one. Without it, each row is read through the migrations
    /// until it is written the next time.
    ///
    /// Blocks the calling thread. Works through the rows in batches, each a transaction: other writers take their turns between them, lists
    /// and other processes see each batch as an ordinary commit. What a program that ends in the midst has written stays, and the next call
    /// goes on with the rest, because each row says its version. A row that is new enough costs only reading: for a collection without old
    /// rows that is all.
    ///
    /// ```swift
    /// let result = try database.migrate(people)
    /// print(result.migrated, result.problems)
    /// ```
    ///
    /// - Parameters:
    ///   - collection: its rows are written in the version that it declares.
    ///   - progress: updated with the rows that were looked at; cancelling it, from any thread, ends after a batch.
    /// - Returns: what was done, and which rows cannot be read.
    /// - Throws: ``YapDatabaseError`` as a write does. `CocoaError.userCancelled` if the progress was cancelled.
    @available(*, noasync, message: "Await the async form; at the top level of main.swift, in an async function.")
    public func migrate<Value, Key, Metadata>(
        _ collection: YapCollection<Value, Key, Metadata>, progress: Progress? = nil
    ) throws -> YapMigrationResult {
        let connection = try newConnection()
        var counter = try ProgressCounter(progress) { try connection.read { try $0[collection].count } }
        var result = YapMigrationResult()
        var next: String? = ""
        while let from = next {
            let batch = try connection.read { try $0[collection].oldRows(from: from) }
            if !batch.rows.isEmpty {
                try connection.readWrite { try $0[collection].upgrade(batch.rows, &result) }
            }
            try counter.add(batch.seen)
            next = batch.next
        }
        progress?.finish()
        return result
    }

    /// The async form of `migrate`: suspends instead of blocking the thread.
    ///
    /// ```swift
    /// let result = try await database.migrate(people)
    /// ```
    ///
    /// - Parameters:
    ///   - collection: its rows are written in the version that it declares.
    ///   - progress: updated with the rows that were looked at. Cancelling it, or the task, ends after a batch.
    /// - Returns: what was done, and which rows cannot be read.
    /// - Throws: ``YapDatabaseError`` as a write does. `CocoaError.userCancelled` if the progress was cancelled, `CancellationError` if the
    ///   task was.
    public func migrate<Value, Key, Metadata>(
        _ collection: YapCollection<Value, Key, Metadata>, progress: Progress? = nil
    ) async throws -> YapMigrationResult {
        let connection = try newConnection()
        let total = progress == nil ? 0 : try await connection.read { try $0[collection].count }
        var counter = ProgressCounter(progress) { total }
        var result = YapMigrationResult()
        var next: String? = ""
        while let from = next {
            try Task.checkCancellation()
            let batch = try await connection.read { try $0[collection].oldRows(from: from) }
            if !batch.rows.isEmpty {
                let before = result
                result = try await connection.readWrite { transaction in
                    var result = before
                    try transaction[collection].upgrade(batch.rows, &result)
                    return result
                }
            }
            try counter.add(batch.seen)
            next = batch.next
        }
        progress?.finish()
        return result
    }
}

// MARK: Batches

/// Old rows of a collection, in the order of their keys.
private struct OldRows<Key: YapKey>: Sendable {
    var rows: [Key] = []
    /// How many rows were looked at.
    var seen = 0
    /// Where the next batch begins; nil at the end of the collection.
    var next: String?
}

extension YapRows {
    /// The most rows of a transaction that writes, and of one that reads.
    private static var batchLimits: (old: Int, seen: Int) { (1_000, 1 << 14) }

    /// Finds the next rows of older versions, by their bytes.
    fileprivate func oldRows(from start: String) throws -> OldRows<Key> {
        var batch = OldRows<Key>()
        let format = collection.format
        // No text is behind this one that a program would use as a key.
        let end = String(repeating: "\u{10FFFF}", count: 32)
        guard start < end else { return batch }
        try transaction.scan(.collection(collection.name, start..<end), .values) { row, stop in
            batch.seen += 1
            if row.withObjectBytes(format.isOld) { batch.rows.append(try collection.key(of: row.key)) }
            if batch.rows.count == Self.batchLimits.old || batch.seen == Self.batchLimits.seen {
                (batch.next, stop) = (row.key.key + "\0", true)
            }
        }
        return batch
    }
}

extension YapRows where Transaction == YapDatabaseReadWriteTransaction {
    /// Writes rows in the newest version, those of them that are still there and old.
    fileprivate func upgrade(_ keys: [Key], _ result: inout YapMigrationResult) throws {
        let format = collection.format
        for key in keys {
            let rowKey = collection.rowKey(key)
            do {
                let value = try transaction.store.row(.key(rowKey), .object) { row in
                    try row.withObject { bytes in
                        try format.isOld(bytes)
                            ? bytes.map { try format.decode(Value.self, $0, ofRow: { rowKey }) } : nil
                    }
                }
                // A key path, as `flatMap(\.self)` has, would be made again for each row of a generic type.
                guard let value, let value else { continue }
                try transaction.replaceValue(value, rowKey)
                result.migrated += 1
            } catch {
                // A write that failed is no matter of this row.
                guard let problem = YapDatabaseError(undecodable: error), !transaction.hasFailed else { throw error }
                result.note(YapDatabaseUndecodableRow([], rowKey, cause: problem.cause))
            }
        }
    }
}

extension YapMigrationResult {
    private static let problemLimit = 1_000

    fileprivate mutating func note(_ problem: YapDatabaseUndecodableRow) {
        if problems.count < Self.problemLimit { problems.append(problem) } else { otherProblems += 1 }
    }
}
