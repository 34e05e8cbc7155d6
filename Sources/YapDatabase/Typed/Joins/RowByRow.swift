import FileEngine
import ListChanges

/// Derives at most one row from each row of a collection, under the same key.
protocol RowByRow: RowDerivation {
    associatedtype Row: Codable & Sendable
    associatedtype Derived: Codable & Sendable

    /// The row that follows from one; nil if none does.
    func derived(from row: Row, in transaction: YapDatabaseReadTransaction) throws -> Derived?
}

extension RowByRow {
    func isCurrent(
        _ row: RowContent, _ entry: DerivedEntry, in transaction: YapDatabaseReadTransaction
    ) throws -> Bool {
        let stored = try transaction.value(of: Derived.self, ofRow: RowKey(collection: target, key: entry.key))
        let derived = try derived(from: try row.place(of: Row.self).pointee, in: transaction)
        guard let stored, let derived else { return stored == nil && derived == nil }
        return try transaction.areStoredAlike(stored, derived)
    }

    func makeRun(_ rows: YapDatabaseDerivedRowsTransaction, _ transaction: YapDatabaseReadWriteTransaction)
        -> any DerivationRun
    {
        RowByRowRun(self, transaction)
    }
}

/// Writes the rows that follow from rows that changed, or whose other row did.
///
/// It goes by keys and not by rowids: a key that was removed and saved again has another rowid, and its old rowid may be that of another row.
private final class RowByRowRun<Derivation: RowByRow>: DerivationRun {
    private let derivation: Derivation
    private unowned let transaction: YapDatabaseReadWriteTransaction
    private var keys: Set<ExactString> = []
    /// Keys that wait to be looked up in their order: some 100 bytes each.
    private static var limit: Int { 4_096 }

    init(_ derivation: Derivation, _ transaction: YapDatabaseReadWriteTransaction) {
        (self.derivation, self.transaction) = (derivation, transaction)
    }

    func change(from before: DerivedEntry?, to after: DerivedEntry?) throws {
        for entry in [before, after] { try note(entry?.key) }
    }

    func changeJoined(_ rowid: Int64, key: String) throws { try note(key) }

    private func note(_ key: String?) throws {
        guard let key else { return }
        keys.insert(ExactString(key))
        if keys.count >= Self.limit { try end() }
    }

    func end() throws {
        let changed = keys.map(\.text).sorted { $0.precedes($1) }
        keys = []
        for key in changed {
            let target = RowKey(collection: derivation.target, key: key)
            let row = try transaction.value(
                of: Derivation.Row.self, ofRow: RowKey(collection: derivation.source, key: key))
            if let derived = try row.flatMap({ try derivation.derived(from: $0, in: transaction) }) {
                try transaction.setValue(derived, target)
            } else {
                try transaction.remove(target)
            }
        }
    }
}

extension YapDatabaseReadTransaction {
    /// The value of a row; nil if there is none that can be decoded.
    func value<Value: Decodable>(of type: Value.Type, ofRow key: RowKey) throws -> Value? {
        try ifDecodable { try value(of: type, .key(key), key, keeps: false) } ?? nil
    }
}
