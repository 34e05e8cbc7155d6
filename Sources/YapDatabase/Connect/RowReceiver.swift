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
