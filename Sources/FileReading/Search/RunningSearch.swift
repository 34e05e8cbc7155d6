import FileEngine
import ObjectDecoding
import SQLiteBridge

/// The state of a ``FileSearch`` while it runs.
///
/// It follows the index of the keys. Where the index is damaged, it walks the rest of the table in the order of rowids. Other threads decode the
/// rows that were read.
struct RunningSearch {
    private let search: FileSearch
    private let table: FileSchema.Table
    private let snapshot: FileSnapshot
    private(set) var progress = FileSearch.Progress()
    /// Whether all rows were searched.
    private(set) var isOver = false
    /// The last entry of the index that was reached; nil before the first.
    private var position: Position?
    /// The walk through the table, once the index is damaged.
    private var walk: TableWalk?
    /// Whether values are read together with the entries of the index, as long as that is possible.
    private var readsRows: Bool
    /// The rows that were read and are not passed on for decoding yet.
    private var piece = Piece()
    private let matches = Matches()
    private let work: OrderedWork<[Int64]>

    /// The index entries processed at once: tens of milliseconds for keys, more if rows are decoded.
    private static let keyPortion = 50_000
    private static let rowPortion = 500
    private static let pieceRows = 128
    /// The most bytes of values held before they are passed on for decoding. A larger value is held alone.
    private static let heldBytes = 1 << 20

    init(_ search: FileSearch, _ table: FileSchema.Table, _ snapshot: FileSnapshot) {
        (self.search, self.table, self.snapshot) = (search, table, snapshot)
        readsRows = !search.isKeysOnly
        work = OrderedWork { [matches] in matches.rowids += $0 }
    }

    /// Searches the next portion of the rows.
    /// - Returns: the rowids of the matches that are known by now, in order. Rows that other threads still decode come with a later portion.
    mutating func nextMatches(_ store: Store) throws -> [Int64] {
        if readsRows {
            try snapshot.withWholeValues(store) { try searchPortion(store) }
        } else {
            try searchPortion(store)
        }
        if search.isKeysOnly || isOver {
            try decodePiece()
            try work.finish()
        }
        progress.found += matches.rowids.count
        defer { matches.rowids = [] }
        return matches.rowids
    }

    private mutating func searchPortion(_ store: Store) throws {
        let portion = search.isKeysOnly ? Self.keyPortion : Self.rowPortion
        if walk == nil { try followIndex(portion, store) } else { try walkTable(portion, store) }
    }

    private mutating func followIndex(_ portion: Int, _ store: Store) throws {
        let statement = try statement(from: position, readsRows: readsRows, store: store)
        defer { statement.reset() }
        for count in 0..<portion {
            do {
                if try !statement.step() { return isOver = true }
                if progress.searched > snapshot.maxEntries { throw YapDatabaseError.endlessIndex }
            } catch {
                if count > 0 { position = try nextPosition(from: position, skipping: count - 1, store) }
                if readsRows { readsRows = false } else { walk = TableWalk() }
                return
            }
            try look(statement, store)
        }
        position = (StoredText(statement, at: 1), StoredText(statement, at: 2))
        readsRows = !search.isKeysOnly
    }

    private mutating func walkTable(_ portion: Int, _ store: Store) throws {
        guard var walk else { return }
        defer { self.walk = walk }
        try walk.visitRows(portion, of: table, search.collection, behind: position, store) { try look($0, store) }
        progress.damage = walk.damage?.sentence
        isOver = walk.isOver
    }

    /// Looks at the row of a statement. Its key is searched at once, its values with others of a piece.
    private mutating func look(_ statement: SQLiteStatement, _ store: Store) throws {
        progress.searched += 1
        let candidate = try candidate(statement, store)
        if search.isKeysOnly, !candidate.isFound { return }
        piece.bytes += candidate.row.map { ($0.object?.size ?? 0) + ($0.metadata?.size ?? 0) } ?? 0
        piece.candidates.append(candidate)
        if piece.candidates.count == Self.pieceRows || piece.bytes > Self.heldBytes { try decodePiece() }
    }

    private mutating func candidate(_ statement: SQLiteStatement, _ store: Store) throws -> Candidate {
        let rowid = statement.int64(at: 0)
        let isFound = statement.withBytes(at: 2) { search.text.isFound(in: $0) }
        if isFound || search.isKeysOnly { return Candidate(rowid: rowid, isFound: isFound) }
        if readsRows, let row = snapshot.rowOfJoin(rowid, statement, from: 3) {
            return Candidate(rowid: rowid, isFound: false, row: row)
        }
        let row = try snapshot.row(rowid, valueBytes: FileSnapshot.wholeValues, store)
        if row.error != nil { progress.unreadable += 1 }
        return Candidate(rowid: rowid, isFound: false, row: row)
    }

    /// Passes the held rows on for decoding. Waits for the result if they are large.
    private mutating func decodePiece() throws {
        guard !piece.candidates.isEmpty else { return }
        let (given, text, decoder) = (piece.candidates, search.text, search.decoder)
        let isLarge = piece.bytes > Self.heldBytes
        piece = Piece()
        try work.add { Self.matches(given, text, decoder) }
        if isLarge { try work.finish() }
    }

    /// Returns the rowids of the matches, in order.
    private static func matches(_ candidates: [Candidate], _ text: SearchText, _ decoder: RowDecoder) -> [Int64] {
        candidates.filter { $0.isFound || $0.row.map { text.isFound(in: $0, decoder) } ?? false }.map(\.rowid)
    }

    /// Returns the position of the entry of the index that follows `count` entries after a position.
    private func nextPosition(from position: Position?, skipping count: Int, _ store: Store) throws -> Position? {
        let statement = try statement(from: position, " LIMIT 1 OFFSET \(count)", store: store)
        defer { statement.reset() }
        return try statement.step() ? (StoredText(statement, at: 1), StoredText(statement, at: 2)) : position
    }

    /// Returns a statement for the index entries from a position on, each with rowid, collection and key, and with the
    /// row itself if that is wanted.
    private func statement(
        from position: Position?, _ rest: String = "", readsRows: Bool = false, store: Store
    ) throws -> SQLiteStatement {
        let collection = search.collection
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

/// The rows that a thread decodes at once, while the next rows are being read.
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

/// The rowids of the rows that were decoded and match, in order. Used on the thread of the search.
private final class Matches {
    var rowids: [Int64] = []
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
