import SQLiteBridge
import YapDatabase

/// A collection in the order of its rowids, which is the order in which its rows were first stored.
///
/// No index has that order, so it is made from the keys' in the background. The first rows are there at once where they
/// are among the first of the table.
package final class RowidOrder: RowSource {
    /// Rows to keep where the rowids lie too far apart for a bitmap. More of them are left out, and `isCut` says so.
    static let sparseLimit = 4_000_000
    /// Rows of the table to look through for the first of the collection.
    private static let previewLimit = 20_000
    private static let portion = 10_000

    private let collection: StoredText
    private let table: String
    private let state = Locked(State())

    fileprivate struct State: Sendable {
        /// Until all are known.
        var preview: [Int64] = []
        var set: RowidSet?
        var sparse: [Int64] = []
        var lastKey: StoredText?
        var isComplete = false
        var isCut = false
    }

    init(_ collection: StoredText, table: FileSchema.Table) {
        self.collection = collection
        self.table = table.name.quotedSQL
    }

    package var isCut: Bool { state.withLock { $0.isCut } }

    package var count: RowCount {
        state.withLock { state in
            state.isComplete
                ? RowCount(state.set?.count ?? state.sparse.count) : RowCount(state.preview.count, isComplete: false)
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

    /// Finds the first rows, where they are near the beginning of the table.
    func begin(_ store: Store, limit: Int) throws {
        let preview = try store.all(
            """
            SELECT rowid FROM (SELECT rowid, "collection" FROM \(table) NOT INDEXED ORDER BY rowid \
            LIMIT \(Self.previewLimit)) WHERE "collection" = ? LIMIT \(limit)
            """, bind: { try collection.bind(to: $0, at: 1) }, read: { $0.int64(at: 0) })
        let span = try store.first("SELECT min(rowid), max(rowid) FROM \(table)") {
            ($0.int64(at: 0), $0.int64(at: 1))
        }
        state.withLock { state in
            state.preview = preview
            state.set = span.flatMap { RowidSet(min($0.0, $0.1)...max($0.0, $0.1)) }
        }
    }

    package func learn(_ store: Store) throws -> Bool {
        let (last, isDone) = state.withLock { ($0.lastKey, $0.isComplete) }
        if isDone { return false }
        let condition = last == nil ? "" : #"AND "key" > ?2"#
        var lastKey: StoredText?
        var count = 0
        let found = try store.all(
            """
            SELECT rowid, "key" FROM \(table) WHERE "collection" = ?1 \(condition) ORDER BY "key" LIMIT \(Self.portion)
            """,
            bind: {
                try collection.bind(to: $0, at: 1)
                try last?.bind(to: $0, at: 2)
            },
            read: {
                count += 1
                if count == Self.portion { lastKey = StoredText($0, at: 1) }
                return $0.int64(at: 0)
            })
        return state.withLock { $0.add(found, lastKey: lastKey) }
    }
}

extension RowidOrder.State {
    /// - Returns: whether there may be more.
    fileprivate mutating func add(_ rowids: [Int64], lastKey: StoredText?) -> Bool {
        self.lastKey = lastKey
        if set == nil { sparse += rowids }
        // A rowid beyond the table's own least and greatest would be damage, and is passed over.
        for rowid in rowids { _ = set?.insert(rowid) }
        isCut = lastKey != nil && sparse.count >= RowidOrder.sparseLimit
        isComplete = lastKey == nil || isCut
        if isComplete {
            set?.close()
            sparse.sort()
            preview = []
        }
        return !isComplete
    }
}
