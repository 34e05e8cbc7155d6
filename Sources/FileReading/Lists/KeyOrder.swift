import SQLiteBridge
import FileEngine

/// A collection in the order of its keys: a sparse index over SQLite's own, with about one key in a thousand rows.
///
/// Until it is complete, the list is known from its beginning as far as the sparse index goes, and from its end.
package final class KeyOrder: RowSource {
    /// The rows between two known keys: a search steps over at most this many entries of SQLite's index, a fraction of
    /// a millisecond.
    static let stride = 1_000

    package let collection: StoredText
    let table: String
    /// Whether SQLite's index orders by UTF-8 bytes.
    let isByteOrder: Bool
    private let maxEntries: Int
    private let state: Locked<KeyAnchors>

    init(
        _ collection: StoredText, table: FileSchema.Table, isByteOrder: Bool, maxEntries: Int,
        anchors: KeyAnchors = KeyAnchors()
    ) {
        self.collection = collection
        self.table = table.name.quotedSQL
        self.isByteOrder = isByteOrder
        self.maxEntries = maxEntries
        state = Locked(anchors)
    }

    /// Returns the same order with other anchors.
    func with(_ anchors: KeyAnchors, _ table: FileSchema.Table) -> KeyOrder {
        KeyOrder(collection, table: table, isByteOrder: isByteOrder, maxEntries: maxEntries, anchors: anchors)
    }

    /// The anchors known by now.
    var anchors: KeyAnchors { state.withLock { $0 } }

    package var count: RowCount { state.withLock { $0.count } }

    package func rowids(in places: Range<Int>, _ store: Store) throws -> [Int64] {
        guard let (anchor, window) = window(places) else { return [] }
        return try rowids(from: anchor, window, store)
    }

    /// Returns the end of a portion that begins at a place, such that no entry of SQLite's index is stepped over twice.
    static func endOfPortion(at place: Int) -> Int { (place / stride + 1) * stride }

    /// Calls `body` with the place, the rowid and the key of each row at these places, read from SQLite's index alone.
    func visitKeys(
        in places: Range<Int>, _ store: Store, _ body: (Int, Int64, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard let (anchor, window) = window(places) else { return }
        let statement = try store.handle.statement(select(#"rowid, "key""#, from: anchor, window))
        defer { statement.reset() }
        try bind(anchor, statement)
        for place in places {
            guard try statement.step() else { return }
            try statement.withBytes(at: 1) { try body(place, statement.int64(at: 0), $0) }
        }
    }

    /// Calls `body` with the rowid and the statement for each row at these places, the columns of the row from 1 on:
    /// see ``FileSnapshot/rowOfJoin(_:_:from:)``. One statement for all of them takes half the time of one for each.
    func visitRows(
        in places: Range<Int>, _ table: FileSchema.Table, _ store: Store,
        _ body: (Int64, SQLiteStatement) throws -> Void
    ) throws {
        guard let (anchor, window) = window(places) else { return }
        // The row itself says what its key is; an entry of a damaged index may say something else.
        let sql = """
            SELECT i.rowid, \(table.joinedColumns) FROM (\(select("rowid", from: anchor, window))) AS i \
            LEFT JOIN \(self.table) AS d ON d.rowid = i.rowid
            """
        let statement = try store.handle.statement(sql)
        defer { statement.reset() }
        try bind(anchor, statement)
        while try statement.step() { try body(statement.int64(at: 0), statement) }
    }

    /// Returns the known key from which these places are reached, and the rest of the statement; nil if they are so far
    /// beyond the known keys that stepping there would take too long.
    private func window(_ places: Range<Int>) -> (anchor: StoredText?, rest: String)? {
        let (anchor, base) = state.withLock { $0.anchor(atOrBefore: places.lowerBound) }
        guard places.lowerBound - base <= 2 * Self.stride, !places.isEmpty else { return nil }
        return (anchor, #"ORDER BY "key" LIMIT \#(places.count) OFFSET \#(places.lowerBound - base)"#)
    }

    package func lastRowids(_ limit: Int, _ store: Store) throws -> [Int64]? {
        try rowids(from: nil, #"ORDER BY "key" DESC LIMIT \#(limit)"#, store).reversed()
    }

    package func place(of rowid: Int64, _ store: Store) throws -> Int? {
        let found = try store.first(
            #"SELECT "collection", "key" FROM \#(table) WHERE rowid = ?"#, bind: { try $0.bind(rowid, at: 1) },
            read: { (StoredText($0, at: 0), StoredText($0, at: 1)) })
        guard let found, found.0 == collection else { return nil }
        return try place(of: found.1, store)
    }

    /// Returns the place of the first key that is not less; nil if it is not known yet.
    package func place(of key: StoredText, _ store: Store) throws -> Int? {
        let (anchor, base) = isByteOrder ? state.withLock { $0.anchor(atOrBefore: key) } : (nil, 0)
        let limit = isByteOrder ? "LIMIT \(2 * Self.stride + 1)" : ""
        let condition = anchor == nil ? "" : #"AND "key" >= ?3"#
        let distance = try store.first(
            #"""
            SELECT count(*) FROM (SELECT 1 FROM \#(table) WHERE "collection" = ?1 AND "key" < ?2 \#(condition) \#(limit))
            """#,
            bind: {
                try collection.bind(to: $0, at: 1)
                try key.bind(to: $0, at: 2)
                try anchor?.bind(to: $0, at: 3)
            }, read: { Int($0.int64(at: 0)) })
        guard let distance, !isByteOrder || distance <= 2 * Self.stride else { return nil }
        return base + distance
    }

    package func loadMore(_ store: Store) throws -> Bool {
        let (anchor, base, isDone) = state.withLock {
            ($0.keys.last, $0.places.last ?? 0, $0.count.isComplete)
        }
        if isDone { return false }
        if base > maxEntries { throw YapDatabaseError.endlessIndex }
        // SQLite compares, in the order of its index.
        let isBehind = anchor == nil ? "1" : #""key" > ?2"#
        let next = try first(
            #""key", \#(isBehind)"#, from: anchor, #"ORDER BY "key" LIMIT 1 OFFSET \#(Self.stride)"#, store
        ) { (key: StoredText($0, at: 0), isBehind: $0.int64(at: 1) != 0) }
        if let next {
            guard next.isBehind else { throw YapDatabaseError.endlessIndex }
            state.withLock {
                $0.append(next.key, at: base + Self.stride)
                $0.count.known = base + Self.stride + 1
            }
            return true
        }
        let rest = try first("count(*)", from: anchor, "", store) { Int($0.int64(at: 0)) } ?? 0
        state.withLock { $0.count = RowCount(base + rest) }
        return false
    }

    private func rowids(from key: StoredText?, _ rest: String, _ store: Store) throws -> [Int64] {
        try store.all(
            select("rowid", from: key, rest), bind: { try bind(key, $0) }, read: { $0.int64(at: 0) })
    }

    private func first<Value>(
        _ columns: String, from key: StoredText?, _ rest: String, _ store: Store, _ read: (SQLiteStatement) -> Value
    ) throws -> Value? {
        try store.first(select(columns, from: key, rest), bind: { try bind(key, $0) }, read: read)
    }

    private func select(_ columns: String, from key: StoredText?, _ rest: String) -> String {
        let condition = key == nil ? "" : #"AND "key" >= ?2"#
        return #"SELECT \#(columns) FROM \#(table) WHERE "collection" = ?1 \#(condition) \#(rest)"#
    }

    private func bind(_ key: StoredText?, _ statement: SQLiteStatement) throws {
        try collection.bind(to: statement, at: 1)
        try key?.bind(to: statement, at: 2)
    }
}
