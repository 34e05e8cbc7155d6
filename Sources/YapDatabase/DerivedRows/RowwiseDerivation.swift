import FileEngine
import ListChanges

/// Derives rows from each row of a collection alone, and perhaps from the row that it names.
protocol RowwiseDerivation: RowDerivation {
    associatedtype Row: Codable & Sendable
    associatedtype Derived: Codable & Sendable

    /// The rows that follow from one, with their keys.
    func derived(
        from row: Row, key: String, in transaction: YapDatabaseReadTransaction
    ) throws -> [(key: String, value: Derived)]
    /// The keys of all rows that may follow from a row with this entry: that of the row itself, if nothing else is said.
    func derivedKeys(of entry: DerivedEntry) -> [String]
}

extension RowwiseDerivation {
    func derivedKeys(of entry: DerivedEntry) -> [String] { [entry.key] }

    func isCurrent(
        _ row: RowContent, _ entry: DerivedEntry, in transaction: YapDatabaseReadTransaction
    ) throws -> Bool {
        let derived = try derived(from: try row.place(of: Row.self).pointee, key: entry.key, in: transaction)
        return try derivedKeys(of: entry).allSatisfy { key in
            let stored = try transaction.value(of: Derived.self, ofRow: RowKey(collection: target, key: key))
            let wanted = derived.first { $0.key.hasSameBytes(as: key) }?.value
            guard let stored, let wanted else { return stored == nil && wanted == nil }
            return try transaction.areStoredAlike(stored, wanted)
        }
    }

    func makeRun(_ rows: YapDatabaseDerivedRowsTransaction, _ transaction: YapDatabaseReadWriteTransaction)
        -> any DerivationRun
    {
        RowwiseRun(self, transaction)
    }
}

/// Writes the rows that follow from rows that changed, or whose other row did.
///
/// It goes by keys and not by rowids: a key that was removed and saved again has another rowid, and its old rowid may be that of another row.
private final class RowwiseRun<Derivation: RowwiseDerivation>: DerivationRun {
    private let derivation: Derivation
    private unowned let transaction: YapDatabaseReadWriteTransaction
    /// The keys of the rows that may have followed from a row, by its key.
    private var former = ExactDictionary<Set<ExactString>>()
    /// Rows that wait to be looked up in the order of their keys: some 200 bytes each.
    private static var limit: Int { 4_096 }

    init(_ derivation: Derivation, _ transaction: YapDatabaseReadWriteTransaction) {
        (self.derivation, self.transaction) = (derivation, transaction)
    }

    func change(from before: DerivedEntry?, to after: DerivedEntry?) throws {
        for entry in [before, after] {
            guard let entry else { continue }
            former[entry.key, default: []].formUnion(derivation.derivedKeys(of: entry).map { ExactString($0) })
        }
        if former.count >= Self.limit { try end() }
    }

    func end() throws {
        let changed = former.sorted { $0.key.precedes($1.key) }
        former = ExactDictionary()
        for (key, former) in changed {
            let row = try transaction.value(
                of: Derivation.Row.self, ofRow: RowKey(collection: derivation.source, key: key))
            let derived = try row.map { try derivation.derived(from: $0, key: key, in: transaction) } ?? []
            let left = former.subtracting(derived.map { ExactString($0.key) }).map { target($0.text) }
            try transaction.remove(left.sorted { $0.key.precedes($1.key) })
            for (key, value) in derived { try transaction.setValue(value, target(key)) }
        }
    }

    private func target(_ key: String) -> RowKey { RowKey(collection: derivation.target, key: key) }
}

extension YapDatabaseReadTransaction {
    /// The value of a row; nil if there is none that can be decoded.
    func value<Value: Decodable>(of type: Value.Type, ofRow key: RowKey) throws -> Value? {
        try ifDecodable { try value(of: type, .key(key), key, keeps: false) } ?? nil
    }
}
