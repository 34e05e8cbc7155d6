import FileEngine
import ListChanges

/// Derives a row for each row of a collection that has, or may lack, the row of another one whose key it names.
struct JoinDerivation<Row: Codable & Sendable, Other: Codable & Sendable, Joined: Codable & Sendable>: RowDerivation {
    let list: String
    let source: String
    /// The collection of the rows that are named.
    let others: String
    /// The key that a row names, as it is stored; nil for none.
    let reference: @Sendable (Row) -> String?
    /// Nil for a row that is in no list without the other one.
    let join: @Sendable (Row, Other?) -> Joined?
    let versionTag: String

    var joined: String? { others }

    func entry(of row: RowContent, in transaction: YapDatabaseReadTransaction) throws -> DerivedEntry? {
        let named = reference(try row.place(of: Row.self).pointee)
        // A row that names none has an entry too: a joined row may need none.
        return DerivedEntry(key: row.key.key, place: named ?? "", values: [.integer(named == nil ? 0 : 1)])
    }

    /// Whether an entry names a row, whose key may be empty.
    var values: [EntryValue] { [EntryValue(isSearched: false)] }

    func isCurrent(
        _ row: RowContent, _ entry: DerivedEntry, in transaction: YapDatabaseReadTransaction
    ) throws -> Bool {
        let key = RowKey(collection: target, key: entry.key)
        let derived = try transaction.value(of: Joined.self, .key(key), key, keeps: false)
        let joined = try joined(try row.place(of: Row.self).pointee, in: transaction)
        guard let derived, let joined else { return derived == nil && joined == nil }
        return try transaction.areStoredAlike(derived, joined)
    }

    func makeRun(_ rows: YapDatabaseDerivedRowsTransaction, _ transaction: YapDatabaseReadWriteTransaction)
        -> any DerivationRun
    {
        JoinRun(self, transaction)
    }

    /// The row that follows from one; nil if none does. What cannot be decoded counts as missing.
    fileprivate func joined(_ row: Row, in transaction: YapDatabaseReadTransaction) throws -> Joined? {
        let other = try reference(row).flatMap { named in
            try transaction.value(of: Other.self, ofRow: RowKey(collection: others, key: named))
        }
        return join(row, other)
    }
}

/// Writes the rows that follow from rows that changed, or whose other row did.
///
/// It goes by keys and not by rowids: a key that was removed and saved again has another rowid, and its old rowid may be that of another row.
private final class JoinRun<Row: Codable & Sendable, Other: Codable & Sendable, Joined: Codable & Sendable>:
    DerivationRun
{
    private let derivation: JoinDerivation<Row, Other, Joined>
    private unowned let transaction: YapDatabaseReadWriteTransaction
    private var keys: Set<ExactString> = []
    /// Keys that wait to be looked up in their order: some 100 bytes each.
    private static var limit: Int { 4_096 }

    init(_ derivation: JoinDerivation<Row, Other, Joined>, _ transaction: YapDatabaseReadWriteTransaction) {
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
            let row = try transaction.value(of: Row.self, ofRow: RowKey(collection: derivation.source, key: key))
            if let joined = try row.flatMap({ try derivation.joined($0, in: transaction) }) {
                try transaction.setValue(joined, target)
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
