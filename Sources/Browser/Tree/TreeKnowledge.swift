import FileReading

/// What is known of a file by now: the catalog from the beginning, counts and groups as they are found out.
struct TreeKnowledge: Sendable {
    var catalog: Catalog
    /// Sentences about the file as a whole.
    var notes: [String] = []
    /// The number of rows of each collection counted so far.
    var counts: [StoredText: RowCount] = [:]
    /// Collections that cannot be counted.
    private(set) var uncounted: Set<StoredText> = []
    /// The views whose pages were read.
    var pages: [String: ViewPageList] = [:]
    /// The bytes of each part, once they were asked for, and whether they are shown instead of counts.
    var space: FileSpace?
    var showsSpace = false
    /// Views whose pages cannot be read, and why.
    var failures: [String: String] = [:]

    init(_ catalog: Catalog, notes: [String] = []) {
        self.catalog = catalog
        self.notes = notes
    }

    /// Items with values of the state before, shown until they are found out again.
    private(set) var stale: Set<TreeItem> = []

    /// Returns the knowledge of a newer state. Counts and groups keep their values until they are found out again.
    func advanced(to catalog: Catalog, notes: [String]) -> TreeKnowledge {
        var next = TreeKnowledge(catalog, notes: notes)
        let names = Set(catalog.collections)
        next.counts = counts.filter { names.contains($0.key) }
        let views = Set(catalog.views.map(\.name))
        next.pages = pages.filter { views.contains($0.key) }
        // These are of the state before, until they are requested again.
        (next.space, next.showsSpace) = (space, showsSpace)
        next.stale = Set(next.counts.keys.map { .collection($0) } + next.pages.keys.map { .view($0) })
        return next
    }

    /// The views whose pages must be read, then the collections that must be counted.
    var toLoad: [TreeItem] {
        let views = catalog.views.filter { view in
            view.hasPages && failures[view.name] == nil && (pages[view.name] == nil || stale.contains(.view(view.name)))
        }
        let collections = catalog.collections.filter { name in
            !uncounted.contains(name) && (counts[name]?.isComplete != true || stale.contains(.collection(name)))
        }
        return views.map { .view($0.name) } + collections.map { .collection($0) }
    }

    /// - Parameter isNewest: whether these are the pages of the newest state, which need not be read again.
    mutating func record(_ pages: ViewPageList, isNewest: Bool = true) {
        self.pages[pages.view] = pages
        mark(.view(pages.view), isStale: !isNewest)
    }

    /// Sets a count. An incomplete count is shown only if no better one is known from before.
    mutating func record(_ count: RowCount, of collection: StoredText, isNewest: Bool = true) {
        guard count.isComplete || !stale.contains(.collection(collection)) else { return }
        if count.isComplete { mark(.collection(collection), isStale: !isNewest) }
        counts[collection] = count
    }

    private mutating func mark(_ item: TreeItem, isStale: Bool) {
        if isStale { stale.insert(item) } else { stale.remove(item) }
    }

    mutating func fail(counting name: StoredText, _ error: any Error) {
        uncounted.insert(name)
        notes.append("\(name.text) cannot be counted: \(error)")
    }

    /// The views of whose pages nothing is known yet.
    var unreadViews: [String] {
        catalog.views.filter { $0.hasPages && failures[$0.name] == nil && pages[$0.name] == nil }.map(\.name)
    }

    mutating func fail(view name: String, _ reason: String) {
        failures[name] = reason
        stale.remove(.view(name))
    }

    /// Returns the damage of a view, in sentences.
    func damage(ofView name: String) -> [String] {
        let view = catalog.views.first { $0.name == name }
        return (view?.damage ?? []) + (pages[name]?.damage ?? []) + (failures[name].map { [$0] } ?? [])
    }
}
