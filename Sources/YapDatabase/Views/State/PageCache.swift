/// Limits how many pages of a view are in memory at once. The page loaded first is dropped first.
final class PageCache: Sendable {
    /// 4,096 pages of 50 rows take 1.6 MB. That covers the windows and binary searches of many lists and is little
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
