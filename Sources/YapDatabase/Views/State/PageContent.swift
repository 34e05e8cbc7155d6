import Foundation

/// The rowids of one version of a page, read from the store on first access.
///
/// Every connection whose snapshot holds this version finds the same bytes in its own SQLite snapshot, so any of them
/// can read the page and all share the result. A version that a transaction is still editing belongs to that
/// transaction alone.
final class PageContent: @unchecked Sendable {
    // @unchecked: `rows` is accessed only while its lock is held. A view has many pages and few are read at a time, so that they
    // share some locks instead of having one each.
    private var rows: Rows
    private static let locks = (0..<64).map { _ in NSLock() }

    private struct Rows {
        var all: [Int64]?
        /// Stays in memory when the other rowids are dropped: searches look at the first rows of many pages.
        var first: Int64?
    }

    /// - Parameter rows: nil for a page that is in the store.
    init(_ rows: [Int64]? = nil) {
        self.rows = Rows(all: rows)
    }

    /// Returns the rowids in order. `load` runs at most once while the content stays in memory.
    func rows(cache: PageCache?, load: () throws -> [Int64]) rethrows -> [Int64] {
        if let rows = lock.withLock({ self.rows.all }) { return rows }
        let loaded = try load()
        lock.withLock { self.rows.all = loaded }
        cache?.admit(self)
        return loaded
    }

    /// No body that runs under it may access another content, which may have the same lock.
    private var lock: NSLock {
        Self.locks[Int(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) / 64 % UInt(Self.locks.count))]
    }

    /// The first rowid, if it is in memory.
    var first: Int64? { lock.withLock { rows.all?.first ?? rows.first } }

    /// Changes the rowids of a version that is not shared yet.
    func edit<Value>(_ change: (inout [Int64]) throws -> Value) rethrows -> Value {
        try lock.withLock { try change(&rows.all!) }
    }

    /// Drops the rowids from memory; the store has them.
    func forget() {
        lock.withLock { rows = Rows(all: nil, first: rows.all?.first ?? rows.first) }
    }
}
