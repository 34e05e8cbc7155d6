import Foundation
import ListChanges

/// Takes every row of the database while an extension is registered.
package protocol RowReceiver: AnyObject {
    /// The collections whose rows it takes; nil for all.
    var allowedCollections: YapWhitelistBlacklist? { get }
    /// What it looks at.
    var needs: RowNeeds { get }
    /// Whether it writes nothing to the store before ``end()``, so that another thread may call it until then.
    var isConcurrent: Bool { get }

    /// Takes the next row, if no other extension is registered together with this one.
    func receive(_ row: ScannedRow) throws
    /// Takes the next rows otherwise.
    /// - Parameter transaction: of any connection; it reads the same rows as the one that registers the extension.
    func receive(_ rows: [DecodedRow], in transaction: YapDatabaseReadTransaction) throws
    /// Called after the last row, with a transaction like those before.
    func sort(in transaction: YapDatabaseReadTransaction) throws
    /// Called last.
    func end() throws
}

extension RowReceiver {
    package var isConcurrent: Bool { false }
    package func sort(in transaction: YapDatabaseReadTransaction) {}
}

/// The parts of a row that a block needs.
package struct RowNeeds: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    static let object = RowNeeds(rawValue: 1 << 0)
    static let metadata = RowNeeds(rawValue: 1 << 1)
}

/// A row whose values were decoded for several extensions: those that one of them needs.
package struct DecodedRow: @unchecked Sendable {
    // @unchecked: values are not changed once they are decoded or were stored.

    let rowid: Int64
    let key: RowKey
    let object: Any?
    let metadata: Any?
    /// The row's stored bytes; 0 if only the key is needed.
    let size: Int
    /// Nil for most rows.
    private let failures: Failures?

    /// Why values cannot be decoded.
    private final class Failures {
        var object: YapDatabaseError?
        var metadata: YapDatabaseError?
    }

    init(_ row: ScannedRow, needs: RowNeeds) throws {
        rowid = row.rowid
        key = row.key
        var failures: Failures?
        func decoded(_ failure: ReferenceWritableKeyPath<Failures, YapDatabaseError?>, _ decode: () throws -> Any?)
            throws -> Any?
        {
            do { return try decode() } catch {
                guard let error = YapDatabaseError(undecodable: error) else { throw error }
                failures = failures ?? Failures()
                failures?[keyPath: failure] = error
                return nil
            }
        }
        object = needs.contains(.object) ? try decoded(\.object, row.object) : nil
        metadata = needs.contains(.metadata) ? try decoded(\.metadata, row.metadata) : nil
        size = needs.isEmpty ? 0 : row.size
        self.failures = failures
    }

    /// Throws if one of these parts cannot be decoded.
    func require(_ needs: RowNeeds) throws {
        guard let failures else { return }
        if needs.contains(.object), let error = failures.object { throw error }
        if needs.contains(.metadata), let error = failures.metadata { throw error }
    }
}

/// A row that was just inserted, set or touched, as the core passes it to extensions.
///
/// Object and metadata are those that the write was given. Where it was given none, they are read through the transaction
/// (its caches first) when an extension asks for them, so that an extension that looks at keys alone decodes nothing.
package struct ChangedRow {
    let rowid: Int64
    let key: RowKey
    /// Which of object and metadata were set or touched.
    let flags: ChangeFlags
    /// Whether the row was only touched: its bytes are unchanged, and extensions evaluate it again.
    let isTouch: Bool
    /// The object and metadata that the write was given.
    let given: (object: Any?, metadata: Any??)
    /// The number of bytes that were written.
    let size: Int
    unowned let transaction: YapDatabaseReadTransaction

    func object() throws -> Any {
        if let object = given.object { return object }
        return try transaction.object(forRowid: rowid, key: key)
    }

    func metadata() throws -> Any? {
        if let metadata = given.metadata { return metadata }
        return try transaction.metadata(forRowid: rowid, key: key)
    }
}

/// A row that is about to be inserted, set or touched, as the core passes it to observers.
package struct ComingRow {
    let key: RowKey
    let isNew: Bool
    /// Which of object and metadata will be set or touched.
    let flags: ChangeFlags
    let isTouch: Bool
    /// The object and metadata that the write was given.
    let given: (object: Any?, metadata: Any??)
}

/// Counts completed work, reports it to a `Progress` at intervals, and throws when the progress is cancelled.
struct ProgressCounter {
    private let progress: Progress?
    private var done = 0
    private var reported = 0
    /// Reporting costs more than most steps.
    private static let step = 128

    /// - Parameter progress: nil if no progress is wanted.
    /// - Parameter total: called only if there is a progress.
    init(_ progress: Progress?, total: () throws -> Int) rethrows {
        self.progress = progress
        // A part of no work at all would divide by zero in Foundation when its parent adds it up.
        if let progress { progress.totalUnitCount = Int64(max(1, try total())) }
    }

    /// - Throws: `CocoaError.userCancelled` when the progress was cancelled.
    mutating func add(_ count: Int = 1) throws {
        guard let progress else { return }
        done += count
        guard done - reported >= Self.step else { return }
        reported = done
        progress.completedUnitCount = Int64(done)
        try progress.throwIfCancelled()
    }
}

extension Progress {
    func throwIfCancelled() throws {
        if isCancelled { throw CocoaError(.userCancelled) }
    }

    /// Reports all work as completed, whatever its amount.
    func finish() {
        if totalUnitCount <= 0 { totalUnitCount = 1 }
        completedUnitCount = totalUnitCount
    }
}

/// Rows that changed while an extension was not told of it.
package struct RowsToPlace {
    /// Whether all rows were removed before `changed` were written.
    var isAllGone = false
    /// With the rowids that they had. Other rows, in `changed`, may have these now.
    var removed: [RemovedRow] = []
    /// New rows, and rows with other values, by rowid.
    var changed: [ChangedRow] = []
    /// Whether they were found by a comparison, so that what depends on other extensions is compared too.
    var mayLackOthers = false
}
