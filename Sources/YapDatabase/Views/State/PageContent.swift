/// The rowids of one version of a page, read from the store the first time that anybody asks.
///
/// Every connection whose snapshot holds this version finds the same bytes in its own SQLite snapshot, so it does not
/// matter which of them reads, and all share the result.
final class PageContent: Sendable {
    private let rows: Locked<[Int64]?>

    /// - Parameter rows: nil for a page that is in the store.
    init(_ rows: [Int64]? = nil) {
        self.rows = Locked(rows)
    }

    /// The rowids in order. `load` runs at most once while the content stays in memory.
    func rows(cache: PageCache?, load: () throws -> [Int64]) rethrows -> [Int64] {
        if let rows = rows.withLock({ $0 }) { return rows }
        let loaded = try load()
        rows.withLock { $0 = loaded }
        cache?.admit(self)
        return loaded
    }

    /// Forgets the rowids; the store has them.
    func forget() {
        rows.withLock { $0 = nil }
    }
}

/// Bounds how many pages of a view are in memory at once: the first to come is the first to be forgotten.
final class PageCache: Sendable {
    /// 4,096 pages of 50 rows are 1.6 MB: the windows and binary searches of many lists, and little beside SQLite's
    /// own page cache.
    static let limit = 4096

    private struct Ring {
        var contents: [Weak] = []
        var next = 0
    }

    private struct Weak: Sendable {
        weak var content: PageContent?
    }

    private let ring = Locked(Ring())

    func admit(_ content: PageContent) {
        let evicted: PageContent? = ring.withLock { ring in
            guard ring.contents.count == Self.limit else {
                ring.contents.append(Weak(content: content))
                return nil
            }
            let oldest = ring.contents[ring.next].content
            ring.contents[ring.next].content = content
            ring.next = (ring.next + 1) % Self.limit
            return oldest
        }
        evicted?.forget()
    }
}
