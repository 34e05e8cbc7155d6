/// The rowids of one version of a page, read from the store on first access.
///
/// Every connection whose snapshot holds this version finds the same bytes in its own SQLite snapshot, so any of them
/// can read the page and all share the result. A version that a transaction is still editing belongs to that
/// transaction alone.
final class PageContent: Sendable {
    private let rows: Locked<Rows>

    private struct Rows {
        var all: [Int64]?
        /// Stays in memory when the other rowids are dropped: searches look at the first rows of many pages.
        var first: Int64?
    }

    /// - Parameter rows: nil for a page that is in the store.
    init(_ rows: [Int64]? = nil) {
        self.rows = Locked(Rows(all: rows))
    }

    /// Returns the rowids in order. `load` runs at most once while the content stays in memory.
    func rows(cache: PageCache?, load: () throws -> [Int64]) rethrows -> [Int64] {
        if let rows = rows.withLock({ $0.all }) { return rows }
        let loaded = try load()
        rows.withLock { $0.all = loaded }
        cache?.admit(self)
        return loaded
    }

    /// The first rowid, if it is in memory.
    var first: Int64? { rows.withLock { $0.all?.first ?? $0.first } }

    /// Changes the rowids of a version that is not shared yet.
    func edit<Value>(_ change: (inout [Int64]) throws -> Value) rethrows -> Value {
        try rows.withLock { try change(&$0.all!) }
    }

    /// Drops the rowids from memory; the store has them.
    func forget() {
        rows.withLock { $0 = Rows(all: nil, first: $0.all?.first ?? $0.first) }
    }
}
