import SQLiteBridge
import FileEngine

/// A collection in the order of its rowids, which is the order in which its rows were first stored.
///
/// No index has that order, so it is built from the index of the keys in the background. The first rows are available
/// at once if they are among the first of the table, and the last ones if they are among its last.
package final class RowidOrder: RowSource {
    /// The most rows kept if the rowids are too far apart for a bitmap. Further rows are left out, and `isCut` is true.
    static let sparseLimit = 4_000_000
    /// The most rows of the table to search for the first rows of the collection, and for its last.
    private static let previewLimit = 20_000
    private static let portion = 10_000

    private let collection: StoredText
    private let table: String
    private let maxEntries: Int
    private let state = Locked(State())

    fileprivate struct State: Sendable {
        /// Replaces the index of the keys if that is damaged.
        var walk: TableWalk?
        /// Why some rows are left out, if any are.
        var damage: String?
        /// The first rows and the last, until all are known.
        var preview: [Int64] = []
        var end: [Int64] = []
        var set: RowidSet?
        var sparse: [Int64] = []
        var lastKey: StoredText?
        /// The number of index entries read.
        var passed = 0
        var isComplete = false
        var isCut = false

        var known: Int { self.set?.count ?? sparse.count }
    }

    init(_ collection: StoredText, table: FileSchema.Table, maxEntries: Int) {
        self.collection = collection
        self.table = table.name.quotedSQL
        self.maxEntries = maxEntries
    }

    package var isCut: Bool { state.withLock { $0.isCut } }
    package var damage: String? { state.withLock { $0.damage } }

    package var count: RowCount {
        state.withLock { state in
            state.isComplete ? RowCount(state.known) : RowCount(state.preview.count, isComplete: false)
        }
    }

    package func rowids(in places: Range<Int>, _ store: Store) throws -> [Int64] {
        state.withLock { state in
            guard state.isComplete else { return Array(state.preview[places.clamped(to: 0..<state.preview.count)]) }
            return state.set?.rowids(in: places) ?? Array(state.sparse[places.clamped(to: 0..<state.sparse.count)])
        }
    }

    package func place(of rowid: Int64, _ store: Store) throws -> Int? {
        state.withLock { state in
            guard state.isComplete else { return state.preview.firstIndex(of: rowid) }
            if let set = state.set { return set.place(of: rowid) }
            let place = state.sparse.partition { $0 < rowid }
            return place < state.sparse.count && state.sparse[place] == rowid ? place : nil
        }
    }

    package func lastRowids(_ limit: Int, _ store: Store) throws -> [Int64]? {
        let (end, count) = state.withLock { ($0.end, $0.isComplete ? $0.known : nil) }
        if let count { return try rowids(in: max(0, count - limit)..<count, store) }
        return end.count < limit ? nil : end.suffix(limit)
    }

    /// Finds the first and the last rows, if they are near the beginning or the end of the table and can be read.
    func begin(_ store: Store, limit: Int) throws {
        var walk = TableWalk()
        var preview: [Int64] = []
        var visited = 0
        while visited < Self.previewLimit, preview.count < limit, walk.damage == nil, !walk.isOver {
            preview += try visit(&walk, store) { visited += $0 }
        }
        let end = (try? endRows(store)) ?? []
        let span = try? store.first("SELECT min(rowid), max(rowid) FROM \(table)") {
            ($0.int64(at: 0), $0.int64(at: 1))
        }
        state.withLock { state in
            state.preview = Array(preview.prefix(limit))
            state.end = end.reversed()
            state.damage = walk.damage?.sentence
            state.set = span.flatMap { RowidSet(min($0.0, $0.1)...max($0.0, $0.1)) }
        }
    }

    private func endRows(_ store: Store) throws -> [Int64] {
        try store.all(
            """
            SELECT rowid FROM (SELECT rowid, "collection" FROM \(table) NOT INDEXED ORDER BY rowid DESC \
            LIMIT \(Self.previewLimit)) WHERE "collection" = ? LIMIT \(EndOrder.limit)
            """, bind: { try collection.bind(to: $0, at: 1) }, read: { $0.int64(at: 0) })
    }

    /// Returns the rows of the collection among the next rows of the table.
    private func visit(_ walk: inout TableWalk, _ store: Store, visited: (Int) -> Void = { _ in }) throws -> [Int64] {
        var found: [Int64] = []
        var count = 0
        try walk.visit(Self.portion, of: table, ", \"collection\"", store) { statement in
            count += 1
            if StoredText(statement, at: 1) == collection { found.append(statement.int64(at: 0)) }
        }
        visited(count)
        return found
    }

    package func loadMore(_ store: Store) throws -> Bool {
        let (last, walk, isDone, passed) = state.withLock { ($0.lastKey, $0.walk, $0.isComplete, $0.passed) }
        if isDone { return false }
        if var walk {
            let found = try visit(&walk, store)
            return state.withLock { $0.add(found, walk) }
        }
        do {
            if passed > maxEntries { throw YapDatabaseError.endlessIndex }
            let (found, lastKey) = try keys(after: last, store)
            return state.withLock { $0.add(found, lastKey: lastKey) }
        } catch {
            // If the index of the keys is damaged, the rows may still be readable.
            state.withLock { $0.walk = TableWalk() }
            return true
        }
    }

    /// Returns the rowids of the next keys, and the last of these keys if there may be more.
    private func keys(after last: StoredText?, _ store: Store) throws -> (rowids: [Int64], last: StoredText?) {
        let condition = last == nil ? "" : #"AND "key" > ?2"#
        // SQLite compares, in the order of its index.
        let isBehind = last == nil ? "1" : #""key" > ?2"#
        var isInOrder = true
        var lastKey: StoredText?
        var count = 0
        let found = try store.all(
            """
            SELECT rowid, "key", \(isBehind) FROM \(table) WHERE "collection" = ?1 \(condition) ORDER BY "key" \
            LIMIT \(Self.portion)
            """,
            bind: {
                try collection.bind(to: $0, at: 1)
                try last?.bind(to: $0, at: 2)
            },
            read: {
                count += 1
                if count == Self.portion { lastKey = StoredText($0, at: 1) }
                isInOrder = isInOrder && $0.int64(at: 2) != 0
                return $0.int64(at: 0)
            })
        guard isInOrder else { throw YapDatabaseError.endlessIndex }
        return (found, lastKey)
    }
}

extension RowidOrder.State {
    /// Adds rowids.
    /// - Returns: whether there may be more.
    fileprivate mutating func add(_ rowids: [Int64], lastKey: StoredText?) -> Bool {
        self.lastKey = lastKey
        passed += rowids.count
        return add(rowids, mayHaveMore: lastKey != nil)
    }

    fileprivate mutating func add(_ rowids: [Int64], _ walk: TableWalk) -> Bool {
        self.walk = walk
        damage = damage ?? walk.damage?.sentence
        return add(rowids, mayHaveMore: !walk.isOver)
    }

    private mutating func add(_ rowids: [Int64], mayHaveMore: Bool) -> Bool {
        if set == nil { sparse += rowids }
        // A rowid beyond the table's least and greatest is damage and is skipped.
        for rowid in rowids { _ = set?.insert(rowid) }
        isCut = mayHaveMore && sparse.count >= RowidOrder.sparseLimit
        isComplete = !mayHaveMore || isCut
        if isComplete {
            set?.close()
            // A row may have been found both ways.
            if walk != nil { sparse = Array(Set(sparse)) }
            sparse.sort()
            (preview, end) = ([], [])
        }
        return !isComplete
    }
}
