import FileEngine
import ListChanges

/// A row as a block sees it: its key, and as much of its content as the block needs.
///
/// A class, so that sorting and remembering rows copies one reference of each.
final class RowContent {
    let rowid: Int64
    let key: RowKey
    /// Set only if the block needs it. It is not optional, because unwrapping would copy the content for each call of a block.
    let object: Any
    let metadata: Any?
    /// The row's stored bytes; 0 if the block needs the key alone, or if the size is unknown.
    let size: Int
    /// The object where a typed sorting finds it.
    var typed = TypedPlace()
    /// The number of ``YapDatabaseViewSorting/prefix``, once it was asked for.
    private var knownPrefix: UInt64?
    /// What was read of the row to compare it, once it was asked for.
    private var knownKey: SortKey?
    /// Whether the row is known by its ``SortKey`` alone.
    let isKeyAlone: Bool
    /// The number of the key in the transaction's list, if it was entered.
    private(set) var keyNumber: UInt32?
    /// Decides between rows that a sorting block calls equal.
    var rank = 0

    init(rowid: Int64, key: RowKey, object: Any?, metadata: Any?, size: Int) {
        self.rowid = rowid
        self.key = key
        self.object = object ?? ()
        self.metadata = metadata
        self.size = size
        isKeyAlone = false
    }

    /// A stored row of which only what decides the order was read.
    init(rowid: Int64, sortKey: SortKey) {
        (self.rowid, key, object, metadata) = (rowid, RowKey(collection: "", key: ""), (), nil)
        size = sortKey.texts.reduce(Self.sizeOfKey) { $0 + $1.utf8.count }
        (knownKey, isKeyAlone) = (sortKey, true)
    }

    /// What counts for a row without an object beside its texts: about the bytes of a value that takes as much memory.
    private static let sizeOfKey = 128

    /// A row of which nothing is known but the number of ``YapDatabaseViewSorting/prefix``, which decides the order alone.
    convenience init(rowid: Int64, key: RowKey, number: UInt64) {
        self.init(rowid: rowid, key: key, object: nil, metadata: nil, size: 0)
        knownPrefix = number
    }

    func noteKey(_ number: UInt32) -> Self {
        keyNumber = number
        return self
    }
}

extension RowContent {
    func prefix(_ make: (RowContent) throws -> UInt64) rethrows -> UInt64 {
        if let knownPrefix { return knownPrefix }
        let prefix = try make(self)
        knownPrefix = prefix
        return prefix
    }

    func sortKey(_ keys: SortKeys) throws -> SortKey {
        if let knownKey { return knownKey }
        let key = try keys.ofRow(self)
        knownKey = key
        return key
    }

    convenience init(_ row: ChangedRow, needs: RowNeeds) throws {
        self.init(
            rowid: row.rowid, key: row.key, object: needs.contains(.object) ? try row.object() : nil,
            metadata: needs.contains(.metadata) ? try row.metadata() : nil, size: needs.isEmpty ? 0 : row.size)
    }

    convenience init(_ row: ScannedRow, needs: RowNeeds) throws {
        self.init(
            rowid: row.rowid, key: row.key, object: needs.contains(.object) ? try row.object() : nil,
            metadata: needs.contains(.metadata) ? try row.metadata() : nil, size: needs.isEmpty ? 0 : row.size)
    }

    convenience init(_ row: DecodedRow, needs: RowNeeds) {
        self.init(
            rowid: row.rowid, key: row.key, object: needs.contains(.object) ? row.object : nil,
            metadata: needs.contains(.metadata) ? row.metadata : nil, size: needs.isEmpty ? 0 : row.size)
    }
}

extension YapDatabaseReadTransaction {
    /// Reads, with one query, what a block needs of a row; nil if there is no such row. Leaves the connection's caches
    /// alone, because they belong to the application.
    func content(ofRowid rowid: Int64, needs: RowNeeds) throws -> RowContent? {
        try store.row(rowid) { try content(rowid, needs, $0, $1) }
    }

    func content(_ rowid: Int64, _ needs: RowNeeds, _ key: RowKey, _ row: StoredRow) throws -> RowContent {
        RowContent(
            rowid: rowid, key: key,
            object: needs.contains(.object) ? try caches.object(key) ?? decodeObject(row, key) : nil,
            metadata: needs.contains(.metadata) ? try decodeMetadata(row, key) : nil,
            size: needs.isEmpty ? 0 : row.size)
    }
}

/// Reads what a block needs of many rows, with one statement for all of them.
final class ContentReader {
    private unowned let transaction: YapDatabaseReadTransaction
    private let needs: RowNeeds
    private let reader: RowReader

    /// - Parameter isAscending: whether the rows are asked for in the order of their rowids, while nothing is written.
    init(_ transaction: YapDatabaseReadTransaction, _ needs: RowNeeds, isAscending: Bool = false) throws {
        self.transaction = transaction
        self.needs = needs
        reader = try RowReader(transaction.store, isAscending: isAscending)
    }

    /// Returns nil if there is no such row.
    func content(ofRowid rowid: Int64) throws -> RowContent? {
        var content: RowContent?
        _ = try row(rowid) { content = try $1() }
        return content
    }

    /// Calls the body with a row's key and with a function that decodes the row.
    /// - Returns: whether there is such a row.
    func row(_ rowid: Int64, _ body: (RowKey, () throws -> RowContent) throws -> Void) throws -> Bool {
        try reader.row(rowid) { key, row in try body(key) { try transaction.content(rowid, needs, key, row) } }
    }

    /// Calls the body with a row's key and the bytes of its object, which do not outlive the call.
    /// - Returns: whether there is such a row.
    func bytes(
        ofRow rowid: Int64, _ body: (RowKey, UnsafeRawBufferPointer?) throws -> Void
    ) throws -> Bool {
        try reader.row(rowid) { key, row in try row.withObject { try body(key, $0) } }
    }
}
