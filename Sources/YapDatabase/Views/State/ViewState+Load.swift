import ViewPageKeys

/// The distance between the labels of neighbouring pages when a group is loaded or grows at an end. Half of it can be
/// halved 31 times before labels must be spread again, and 2 billion pages fit on either side.
let pageLabelGap: Int64 = 1 << 32

/// More rows than fit into the largest value that SQLite stores.
private let pageRowLimit = 1 << 27

extension ViewState {
    /// Loads a view from the summary of its pages or, if the file has none for the state that is read, from its pages.
    init(ofView name: String, in transaction: YapDatabaseReadTransaction) throws {
        let store = transaction.store
        // What the transaction has written itself has no number yet.
        let isChanged = transaction is YapDatabaseReadWriteTransaction && store.hasWritten
        // A summary that cannot be read is none: the pages say the same.
        if !isChanged, let summary = try? store.pageSummary(ofView: name) {
            self.init(summary)
        } else {
            try self.init(store.pages(ofView: name), view: name)
        }
    }

    /// Puts the pages of each group in order. O(p log p) for p pages, about 2 µs a page; reads no rows.
    ///
    /// - Throws: ``YapDatabaseError`` with code `.corrupt` when the pages do not form one chain a group.
    init(_ stored: StoredPages, view: String) throws {
        let (chains, records) = (stored.chains, stored.all)
        var pages = [[SortedTree<Int64, Page>.Element]](repeating: [], count: chains.groups.count)
        var addresses: [SortedTree<PageName, PageAddress>.Element] = []
        addresses.reserveCapacity(records.count)
        for index in try chains.order(damaged: { throw YapDatabaseError.damagedView(view, $0) }) {
            let record = records[index]
            // Sums of counts in this range stay far below the largest integer.
            guard 0...pageRowLimit ~= record.count else {
                throw YapDatabaseError.damagedView(
                    view, "page \(record.key.text) counts \(record.count) rows, which no page holds")
            }
            let label = Int64(pages[record.group].count) * pageLabelGap
            pages[record.group].append(
                (
                    label,
                    Page(
                        count: record.count,
                        content: PageContent(record.key, record: record.record, first: record.first))
                ))
            addresses.append((record.key.name, PageAddress(group: chains.groups[record.group], label: label)))
        }
        let groups = zip(chains.groups, pages).map { (key: $0, value: PageList(pages: SortedTree(sorted: $1))) }
        self.groups = SortedTree(sorted: groups.sorted { $0.key.precedes($1.key) })
        self.addresses = SortedTree(sorted: addresses.sorted { $0.key < $1.key })
    }
}
