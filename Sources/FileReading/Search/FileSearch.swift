import ObjectDecoding
import SQLiteBridge
import FileEngine

/// A search through the rows of a file: in their keys and in their decoded values.
///
/// It runs on the caller's thread, in portions, so that other background work runs in between. It reads rows in the
/// order of the keys' index and keeps nothing; the screen's `ListSearch` works by places in a list and keeps its
/// matches.
package struct FileSearch {
    /// The progress of a search.
    package struct Progress: Hashable, Sendable {
        package var searched = 0
        package var found = 0
        /// The number of rows that cannot be read, of which only the keys were searched.
        package var unreadable = 0
        /// Why some rows may not have been found, in a sentence; nil if all were.
        package var damage: String?

        package init() {}
    }

    package var text: SearchText
    /// The collection to search; nil for all.
    package var collection: StoredText?
    /// Whether only keys are searched, which reads no rows.
    package var isKeysOnly: Bool
    package var decoder = RowDecoder()

    package init(_ text: SearchText, collection: StoredText? = nil, isKeysOnly: Bool = false) {
        self.text = text
        self.collection = collection
        self.isKeysOnly = isKeysOnly
    }

    /// The index entries processed at once: tens of milliseconds for keys, more if rows are decoded.
    private static let keyPortion = 50_000
    private static let rowPortion = 500
    private static let pieceRows = 128
    /// The most bytes of values held before they are passed on for decoding. A larger value is held alone.
    private static let heldBytes = 1 << 20

    /// Searches to the end, in the order of collections and keys; from where their index is damaged, in the order of
    /// rowids.
    /// - Parameters:
    ///   - progress: called after each portion; returning false ends the search.
    ///   - found: called with the rowid of each match, inside the snapshot's lock for work, when its row
    ///     is decoded, which may be some portions after it was read, but before the end.
    package func run(
        in snapshot: FileSnapshot, progress: (Progress) throws -> Bool = { _ in true },
        found: (Int64, Store) throws -> Void
    ) throws {
        let table = try snapshot.rowTable()
        let portion = isKeysOnly ? Self.keyPortion : Self.rowPortion
        var done = Progress()
        var position: Position?
        var walk: TableWalk?
        var isOver = false
        // Values are read with the entries of the index, until one cannot be read so.
        var readsRows = !isKeysOnly
        var piece = Piece()
        var matches: [Int64] = []
        let work = OrderedWork<[Int64]> { matches += $0 }
        func give() throws {
            guard !piece.candidates.isEmpty else { return }
            let (given, text, decoder) = (piece.candidates, text, decoder)
            let isLarge = piece.bytes > Self.heldBytes
            piece = Piece()
            try work.add { Self.matches(given, text, decoder) }
            if isLarge { try work.finish() }
        }
        func look(_ statement: SQLiteStatement, _ store: Store) throws {
            done.searched += 1
            let candidate = try candidate(statement, readsRows, snapshot, store, &done)
            if isKeysOnly, !candidate.isFound { return }
            piece.bytes += candidate.row.map { ($0.object?.size ?? 0) + ($0.metadata?.size ?? 0) } ?? 0
            piece.candidates.append(candidate)
            if piece.candidates.count == Self.pieceRows || piece.bytes > Self.heldBytes { try give() }
        }
        func search(_ store: Store) throws {
            if walk != nil {
                try walk?.visitRows(portion, of: table, collection, behind: position, store) { try look($0, store) }
                done.damage = walk?.damage?.sentence
                isOver = walk?.isOver ?? true
                return
            }
            let statement = try statement(table, from: position, readsRows: readsRows, store: store)
            defer { statement.reset() }
            for count in 0..<portion {
                do {
                    if try !statement.step() { return isOver = true }
                    if done.searched > snapshot.maxEntries { throw YapDatabaseError.endlessIndex }
                } catch {
                    if count > 0 { position = try self.position(table, from: position, skipping: count - 1, store) }
                    if readsRows { readsRows = false } else { walk = TableWalk() }
                    return
                }
                try look(statement, store)
            }
            position = (StoredText(statement, at: 1), StoredText(statement, at: 2))
            readsRows = !isKeysOnly
        }
        func searchPortion(_ store: Store) throws {
            if readsRows { try snapshot.withWholeValues(store) { try search(store) } } else { try search(store) }
        }
        while !isOver {
            try snapshot.work { store in
                try searchPortion(store)
                if isKeysOnly || isOver {
                    try give()
                    try work.finish()
                }
                done.found += matches.count
                for rowid in matches { try found(rowid, store) }
                matches = []
            }
            if try !progress(done) { return }
        }
    }

    /// The rows that a thread decodes at once, while the next are being read.
    private struct Piece {
        var candidates: [Candidate] = []
        /// The size of their values.
        var bytes = 0
    }

    /// A row that the search has reached.
    private struct Candidate: Sendable {
        var rowid: Int64
        var isFound: Bool
        /// The row to search; nil if the key alone decides.
        var row: BrowsedRow?
    }

    private func candidate(
        _ statement: SQLiteStatement, _ readsRows: Bool, _ snapshot: FileSnapshot, _ store: Store,
        _ done: inout Progress
    ) throws -> Candidate {
        let rowid = statement.int64(at: 0)
        let isFound = statement.withBytes(at: 2) { text.isFound(in: $0) }
        if isFound || isKeysOnly { return Candidate(rowid: rowid, isFound: isFound) }
        if readsRows, let row = snapshot.rowOfJoin(rowid, statement, from: 3) {
            return Candidate(rowid: rowid, isFound: false, row: row)
        }
        let row = try snapshot.row(rowid, valueBytes: FileSnapshot.wholeValues, store)
        if row.error != nil { done.unreadable += 1 }
        return Candidate(rowid: rowid, isFound: false, row: row)
    }

    /// Returns the rowids of the matches, in order.
    private static func matches(_ candidates: [Candidate], _ text: SearchText, _ decoder: RowDecoder) -> [Int64] {
        candidates.filter { $0.isFound || $0.row.map { text.isFound(in: $0, decoder) } ?? false }.map(\.rowid)
    }

    /// Returns the position in the index `count` entries after a position.
    private func position(
        _ table: FileSchema.Table, from position: Position?, skipping count: Int, _ store: Store
    ) throws -> Position? {
        let statement = try statement(table, from: position, " LIMIT 1 OFFSET \(count)", store: store)
        defer { statement.reset() }
        return try statement.step() ? (StoredText(statement, at: 1), StoredText(statement, at: 2)) : position
    }

    /// Returns a statement for the index entries from a position on, each with rowid, collection and key, and with the
    /// row itself if that is wanted.
    private func statement(
        _ table: FileSchema.Table, from position: Position?, _ rest: String = "", readsRows: Bool = false, store: Store
    ) throws -> SQLiteStatement {
        var conditions: [String] = []
        if collection != nil { conditions.append(#""collection" = ?1"#) }
        if position != nil {
            conditions.append(collection == nil ? #"("collection", "key") > (?2, ?3)"# : #""key" > ?3"#)
        }
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        let name = table.name.quotedSQL
        let entries = #"SELECT rowid, "collection", "key" FROM \#(name) \#(condition) ORDER BY "collection", "key""#
        // Without a limit SQLite may join in another way and sort.
        let sql =
            readsRows
            ? """
            SELECT i.rowid, i."collection", i."key", \(table.joinedColumns) FROM (\(entries) LIMIT -1) AS i \
            LEFT JOIN \(name) AS d ON d.rowid = i.rowid
            """ : entries + rest
        let statement = try store.handle.statement(sql)
        try collection?.bind(to: statement, at: 1)
        if collection == nil { try position?.collection.bind(to: statement, at: 2) }
        try position?.key.bind(to: statement, at: 3)
        return statement
    }
}

private typealias Position = (collection: StoredText, key: StoredText)

extension TableWalk {
    /// Visits rows that the index of the keys did not lead to, each with rowid, collection and key.
    /// - Parameter position: the last entry that it did lead to.
    fileprivate mutating func visitRows(
        _ limit: Int, of table: FileSchema.Table, _ collection: StoredText?, behind position: Position?, _ store: Store,
        _ body: (SQLiteStatement) throws -> Void
    ) throws {
        // SQLite compares, in the order of its index.
        let isWanted = collection == nil ? "1" : #""collection" = ?2"#
        let isBehind = position == nil ? "1" : #"("collection", "key") > (?3, ?4)"#
        try visit(
            limit, of: table.name.quotedSQL, #", "collection", "key", \#(isWanted) AND \#(isBehind)"#, store,
            bind: {
                try collection?.bind(to: $0, at: 2)
                try position?.collection.bind(to: $0, at: 3)
                try position?.key.bind(to: $0, at: 4)
            }
        ) { if $0.int64(at: 3) != 0 { try body($0) } }
    }
}
