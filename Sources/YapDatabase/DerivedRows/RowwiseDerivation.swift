import FileEngine
import ListChanges

/// Derives rows from one row of a collection at a time, and perhaps from the row of another collection that it names.
protocol RowwiseDerivation: RowDerivation {
    associatedtype Row: Codable & Sendable
    associatedtype Derived: Codable & Sendable

    /// Returns the rows that are derived from a source row, with their keys.
    func derived(from row: Row, key: String, _ reader: SourceReader) throws -> [(key: String, value: Derived)]
    /// Returns the keys of all rows that may have been derived from a source row with this entry. By default only the source row's own key.
    func derivedKeys(of entry: DerivedEntry) -> [String]
    /// Reads the copy of the source row that a derived row contains, which is about to be written again; nil if it contains none, or if there is
    /// no such row.
    func copyToReplace(
        _ key: RowKey, _ transaction: YapDatabaseReadWriteTransaction
    ) throws -> PartToReplace<SourceCopy<Row>>?
}

extension RowwiseDerivation {
    func isRow(_ object: Any) -> Bool { type(of: object) == Row.self }

    func derivedKeys(of entry: DerivedEntry) -> [String] { [entry.key] }

    func copyToReplace(
        _ key: RowKey, _ transaction: YapDatabaseReadWriteTransaction
    ) throws -> PartToReplace<SourceCopy<Row>>? { nil }

    func isCurrent(_ row: RowContent, _ entry: DerivedEntry, _ reader: SourceReader) throws -> Bool {
        let transaction = reader.transaction
        let derived = try derived(from: try row.place(of: Row.self).pointee, key: entry.key, reader)
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
        RowwiseRun(self, rows, transaction, limit: ViewPopulation.Limit(rows: 4_096, bytes: 8 << 20))
    }

    func makeFill(_ rows: YapDatabaseDerivedRowsTransaction, _ transaction: YapDatabaseReadWriteTransaction)
        -> any DerivationFill
    {
        // Enough that a page is full of rows that name the same one, if many do.
        var limit = ViewPopulation.Limit.current
        (limit.rows, limit.bytes) = (min(limit.rows, 32_768), min(limit.bytes, 16 << 20))
        return FillByChanges(derivation: self, run: RowwiseRun(self, rows, transaction, limit: limit), rows: rows)
    }
}

/// The copy of its source row in a derived row, which is decoded without the rest of it.
struct SourceCopy<Row: Decodable>: Decodable {
    let row: Row
}

/// Reads rows during one run over changed rows. No row is written meanwhile.
final class SourceReader {
    let transaction: YapDatabaseReadTransaction
    /// Notes what cannot be decoded; nil in a comparison, which changes nothing.
    private let rows: YapDatabaseDerivedRowsTransaction?
    /// The rows that could not be decoded, in a comparison.
    private(set) var undecodable: Set<RowKey> = []
    /// The row that was read last, because many source rows name the same row.
    private var last: (key: RowKey, value: Any?)?

    init(_ transaction: YapDatabaseReadTransaction, noting rows: YapDatabaseDerivedRowsTransaction? = nil) {
        (self.transaction, self.rows) = (transaction, rows)
    }

    /// The value of a row; nil if there is none that can be decoded.
    func value<Value: Decodable>(of type: Value.Type, ofRow key: RowKey) throws -> Value? {
        if let last, last.key == key { return last.value as? Value }
        let value = try rows.map { try $0.valueOrLeaveOut(of: type, ofRow: key) } ?? compared(type, key)
        last = (key, value)
        return value
    }
}

extension SourceReader {
    private func compared<Value: Decodable>(_ type: Value.Type, _ key: RowKey) throws -> Value? {
        do {
            return try transaction.value(of: type, .key(key), key, keeps: false)
        } catch {
            guard YapDatabaseError(undecodable: error) != nil, !transaction.failsOnUndecodableRows else { throw error }
            undecodable.insert(key)
            return nil
        }
    }
}

/// Writes the derived rows of source rows that changed, or that name a changed row.
///
/// Those that name the same row are written one after the other, so new ones are neighbours in the table. A change of the row that they name then
/// concerns few pages of it, and of the map of each list over it: with 1,000 rows at 250 bytes, 60 pages and not 1,000.
private final class RowwiseRun<Derivation: RowwiseDerivation>: DerivationRun {
    private let derivation: Derivation
    private let collection: String
    private unowned let rows: YapDatabaseDerivedRowsTransaction
    private unowned let transaction: YapDatabaseReadWriteTransaction
    private var changes = SourceChanges()
    /// The size of the waiting rows, in stored bytes.
    private var size = 0
    /// How many rows wait, and of what size: they are derived together.
    private let limit: ViewPopulation.Limit
    /// From this number of rows on, more pages are cached: the rows may be on as many pages, each of which is read, changed and written.
    private static var manyChanges: Int { 256 }

    init(
        _ derivation: Derivation, _ rows: YapDatabaseDerivedRowsTransaction,
        _ transaction: YapDatabaseReadWriteTransaction, limit: ViewPopulation.Limit
    ) {
        (self.derivation, self.rows, self.transaction, self.limit) = (derivation, rows, transaction, limit)
        collection = derivation.target
    }

    func change(from before: DerivedEntry?, to after: DerivedEntry?, _ row: RowContent?) throws {
        if let before { note(before, nil) }
        if let after { note(after, row) }
        try endIfMany()
    }

    func changeJoined(_ key: String, ofPlace place: String) throws {
        if !changes.contains(key) {
            changes.append(SourceChange(key: key, place: place, former: [key], isJoined: true))
        }
        try endIfMany()
    }

    private func endIfMany() throws {
        if changes.count >= limit.rows || size >= limit.bytes { try end() }
    }

    private func note(_ entry: DerivedEntry, _ row: RowContent?) {
        changes.update(entry.key) { change in
            change.former += derivation.derivedKeys(of: entry)
            guard let row else { return }
            size += row.size
            change.row = row
            if derivation.joined != nil { change.place = entry.place }
        }
    }

    func end() throws {
        let changed = changes.takeInOrder()
        size = 0
        if changed.count >= Self.manyChanges { try transaction.store.growCache() }
        let reader = SourceReader(transaction, noting: rows)
        for change in changed {
            let copy = try copy(for: change)
            let row = try copy?.part.row ?? value(of: change)
            let derived = try row.map { try derivation.derived(from: $0, key: change.key, reader) } ?? []
            try remove(change.former, but: derived.map { $0.key })
            for (key, value) in derived {
                let isCopied = key.hasSameBytes(as: change.key)
                try transaction.setDerivedValue(value, target(key), over: isCopied ? copy?.stored : nil)
            }
        }
    }

    /// Reads the source row of a change out of the derived row that contains a copy of it. That one is on a page that has to be read anyway.
    /// - Returns: nil if the source row was changed itself, or no derived row contains it.
    private func copy(for change: SourceChange) throws -> PartToReplace<SourceCopy<Derivation.Row>>? {
        guard change.isJoined, change.row == nil else { return nil }
        return try transaction.ifDecodable { try derivation.copyToReplace(target(change.key), transaction) } ?? nil
    }

    /// Returns the source row of a change; nil if it is gone or cannot be decoded.
    private func value(of change: SourceChange) throws -> Derivation.Row? {
        guard let row = change.row else {
            return try transaction.value(
                of: Derivation.Row.self, ofRow: RowKey(collection: derivation.source, key: change.key))
        }
        return try transaction.ifDecodable { try row.place(of: Derivation.Row.self).pointee }
    }

    private func remove(_ former: [String], but keys: [String]) throws {
        // Most rows stay.
        if keys.count == 1, former.allSatisfy({ $0.hasSameBytes(as: keys[0]) }) { return }
        let left = Set(former.map { ExactString($0) }).subtracting(keys.map { ExactString($0) })
        try transaction.remove(left.map { target($0.text) }.sorted { $0.key.precedes($1.key) })
    }

    private func target(_ key: String) -> RowKey { RowKey(collection: collection, key: key) }
}

extension YapDatabaseReadTransaction {
    /// The value of a row; nil if there is none that can be decoded.
    func value<Value: Decodable>(of type: Value.Type, ofRow key: RowKey) throws -> Value? {
        try ifDecodable { try value(of: type, .key(key), key, keeps: false) } ?? nil
    }
}
