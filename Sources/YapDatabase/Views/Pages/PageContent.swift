import FileEngine
import Foundation
import Synchronization
import ViewPageKeys

/// The key of a page and the rowids of one version of it, read from the store on first access.
///
/// Every connection whose snapshot holds this version finds the same bytes in its own SQLite snapshot, so any of them
/// can read the page and all share the result. A version that a transaction is still editing belongs to that
/// transaction alone.
final class PageContent: @unchecked Sendable {
    let pageKey: PageKey
    // @unchecked: `rows` is accessed only while its lock is held. A view has many pages and few are read at a time, so that they
    // share some locks instead of having one each.
    @exclusivity(unchecked) private var rows: Rows
    private static let locks = (0..<64).map { _ in NSLock() }

    private struct Rows {
        var all: [Int64]?
        /// The rowid of the page's record, if it is known; see `Store.rows(ofPage:at:count:view:)`.
        var record: Int64?
    }

    /// The first rowid, in memory although the others may not be: searches look at the first rows of many pages, so this needs no lock.
    private let knownFirst: Atomic<Int64>
    private static let unknown = Int64.min
    private let isBeingChanged: Atomic<Bool>

    /// - Parameters:
    ///   - rows: nil for a page that is in the store.
    ///   - isOpen: whether a transaction owns this version and is changing it.
    ///   - record: the rowid of the page's record, if it is known.
    ///   - first: the first row of a page that is in the store, if it is known.
    init(_ key: PageKey, rows: [Int64]? = nil, isOpen: Bool = false, record: Int64? = nil, first: Int64? = nil) {
        pageKey = key
        self.rows = Rows(all: rows, record: record)
        knownFirst = Atomic(rows?.first ?? first ?? Self.unknown)
        isBeingChanged = Atomic(isOpen)
    }

    /// The page's key in the page and map tables, an upper-case UUID. The text is made from 16 bytes each time.
    var key: String { pageKey.text }
    var name: PageName { pageKey.name }

    /// Another version of the same page, which a transaction is changing.
    func opened(rows: [Int64]) -> PageContent { PageContent(pageKey, rows: rows, isOpen: true, record: record) }

    /// Returns the rowids in order. `load` gets the place of the record and the first rowid, as far as they are known, and runs at most once
    /// while the content stays in memory.
    func rows(
        cache: PageCache?, load: (_ record: Int64?, _ first: Int64?) throws -> (rows: [Int64], record: Int64)
    ) rethrows -> [Int64] {
        let known = lock.withLock { self.rows }
        if let rows = known.all { return rows }
        let loaded = try load(known.record, first)
        lock.withLock { (self.rows.all, self.rows.record) = (loaded.rows, loaded.record) }
        noteFirst(of: loaded.rows)
        cache?.admit(self)
        return loaded.rows
    }

    /// The rowid of the page's record, if it is known.
    var record: Int64? {
        get { lock.withLock { rows.record } }
        set { lock.withLock { rows.record = newValue } }
    }

    /// No body that runs under it may access another content, which may have the same lock.
    private var lock: NSLock {
        Self.locks[Int(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) / 64 % UInt(Self.locks.count))]
    }

    /// The first rowid, if it is in memory.
    var first: Int64? {
        let first = knownFirst.load(ordering: .relaxed)
        return first == Self.unknown ? nil : first
    }

    private func noteFirst(of rows: [Int64]) { knownFirst.store(rows.first ?? Self.unknown, ordering: .relaxed) }

    /// Changes the rowids of a version that is not shared yet.
    func edit<Value>(_ change: (inout [Int64]) throws -> Value) rethrows -> Value {
        try lock.withLock {
            defer { noteFirst(of: rows.all!) }
            return try change(&rows.all!)
        }
    }

    /// Whether a transaction is changing this version.
    var isOpen: Bool { isBeingChanged.load(ordering: .relaxed) }

    /// The number of rowids, of a version that is in memory.
    var count: Int { lock.withLock { rows.all!.count } }

    /// Ends the changes: from now on no rowid of this version changes.
    func seal() { isBeingChanged.store(false, ordering: .relaxed) }

    /// Drops all rowids but the first from memory; the store has them.
    func forget() { lock.withLock { rows.all = nil } }
}

/// Limits how many pages of a view are in memory at once. The page loaded first is dropped first.
final class PageCache: Sendable {
    /// 4,096 pages of at most 50 rows take 1.6 MB. That covers the windows and binary searches of many lists and is little
    /// beside SQLite's own page cache.
    static let limit = 4096

    private struct Ring {
        /// Not weak, for which each page would need an allocation of its own, and more time for each reference to it.
        var contents: [PageContent] = []
        var next = 0
    }

    private let ring = Locked(Ring())

    func admit(_ content: PageContent) {
        let evicted: PageContent? = ring.withLock { ring in
            guard ring.contents.count == Self.limit else {
                ring.contents.append(content)
                return nil
            }
            let oldest = ring.contents[ring.next]
            ring.contents[ring.next] = content
            ring.next = (ring.next + 1) % Self.limit
            return oldest
        }
        evicted?.forget()
    }
}
