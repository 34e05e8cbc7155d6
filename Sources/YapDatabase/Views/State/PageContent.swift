/// The rowids of one version of a page, read from the store the first time that anybody asks.
///
/// Every connection whose snapshot holds this version finds the same bytes in its own SQLite snapshot, so it does not
/// matter which of them reads, and all share the result. A version that a transaction is still making is its own.
final class PageContent: Sendable {
    private let rows: Locked<Rows>

    private struct Rows {
        var all: [Int64]?
        /// Stays when the others are forgotten: searches look at the first rows of many pages.
        var first: Int64?
    }

    /// - Parameter rows: nil for a page that is in the store.
    init(_ rows: [Int64]? = nil) {
        self.rows = Locked(Rows(all: rows))
    }

    /// The rowids in order. `load` runs at most once while the content stays in memory.
    func rows(cache: PageCache?, load: () throws -> [Int64]) rethrows -> [Int64] {
        if let rows = rows.withLock({ $0.all }) { return rows }
        let loaded = try load()
        rows.withLock { $0.all = loaded }
        cache?.admit(self)
        return loaded
    }

    /// The first rowid, where it is in memory.
    var first: Int64? { rows.withLock { $0.all?.first ?? $0.first } }

    /// Changes the rowids of a version that nobody else has yet.
    func edit<Value>(_ change: (inout [Int64]) throws -> Value) rethrows -> Value {
        try rows.withLock { try change(&$0.all!) }
    }

    /// Forgets the rowids; the store has them.
    func forget() {
        rows.withLock { $0 = Rows(all: nil, first: $0.all?.first ?? $0.first) }
    }
}
