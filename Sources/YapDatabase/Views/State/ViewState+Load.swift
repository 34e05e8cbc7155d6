/// The distance between the labels of neighbouring pages when a group is loaded or grows at an end. Half of it can be
/// halved 31 times before labels must be spread again, and 2 billion pages fit on either side.
let pageLabelGap: Int64 = 1 << 32

/// More rows than fit into the largest value that SQLite stores.
private let pageRowLimit = 1 << 27

extension ViewState {
    /// Builds the chain of pages of each group. O(p log p) for p pages; reads no rows.
    ///
    /// - Throws: ``YapDatabaseError`` with code `.corrupt` when the pages do not form one chain a group.
    init(records: [PageRecord], view: String) throws {
        var chains = PageChains()
        chains.expect(pages: records.count)
        var groupIndexes: [Int] = []
        for record in records {
            // Sums of counts in this range stay far below the largest integer.
            guard 0...pageRowLimit ~= record.count else {
                throw YapDatabaseError.damagedView(
                    view, "page \(record.key) counts \(record.count) rows, which no page holds")
            }
            groupIndexes.append(chains.group(named: record.group))
            let previous = record.previous.flatMap { $0.isEmpty ? nil : PageName($0) }
            chains.add(PageName(record.key), after: previous, inGroup: groupIndexes[groupIndexes.count - 1])
        }
        var pages = [[SortedTree<Int64, Page>.Element]](repeating: [], count: chains.groups.count)
        var addresses: [SortedTree<String, PageAddress>.Element] = []
        for index in try chains.order(damaged: { throw YapDatabaseError.damagedView(view, $0) }) {
            let (record, group) = (records[index], groupIndexes[index])
            let label = Int64(pages[group].count) * pageLabelGap
            pages[group].append((label, Page(key: record.key, count: record.count, content: PageContent())))
            addresses.append((record.key, PageAddress(group: chains.groups[group], label: label)))
        }
        let groups = zip(chains.groups, pages).map { (key: $0, value: PageList(pages: SortedTree(sorted: $1))) }
        self.groups = SortedTree(sorted: groups.sorted { $0.key < $1.key })
        addresses.sort { $0.key < $1.key }
        // Different keys whose bytes are not valid text may be read as the same text.
        if let (first, _) = zip(addresses, addresses.dropFirst()).first(where: { $0.key == $1.key }) {
            throw YapDatabaseError.damagedView(view, "two pages have the name \(first.key)")
        }
        self.addresses = SortedTree(sorted: addresses)
    }
}
