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
        var addresses: [SortedTree<String, PageAddress>.Element] = []
        var groups: [SortedTree<String, PageList>.Element] = []
        for (group, records) in Dictionary(grouping: records, by: \.group) {
            let chain = try Self.chain(records, group: group, view: view)
            var pages: [SortedTree<Int64, Page>.Element] = []
            for (position, record) in chain.enumerated() {
                let label = Int64(position) * pageLabelGap
                pages.append((label, Page(key: record.key, count: record.count, content: PageContent())))
                addresses.append((record.key, PageAddress(group: group, label: label)))
            }
            groups.append((group, PageList(pages: SortedTree(sorted: pages))))
        }
        self.groups = SortedTree(sorted: groups.sorted { $0.key < $1.key })
        addresses.sort { $0.key < $1.key }
        // Different keys whose bytes are not valid text may be read as the same text.
        if let (first, _) = zip(addresses, addresses.dropFirst()).first(where: { $0.key == $1.key }) {
            throw YapDatabaseError.damagedView(view, "two pages have the name \(first.key)")
        }
        self.addresses = SortedTree(sorted: addresses)
    }

    private static func chain(_ records: [PageRecord], group: String, view: String) throws -> [PageRecord] {
        func damaged(_ what: String) -> YapDatabaseError {
            .damagedView(view, "the pages of group \"\(group)\" \(what)")
        }
        var successors: [String: PageRecord] = [:]
        var head: PageRecord?
        for record in records {
            // Sums of counts in this range stay far below the largest integer.
            guard 0...pageRowLimit ~= record.count else {
                throw damaged("count \(record.count) rows in one, which no page holds")
            }
            if let previous = record.previous, !previous.isEmpty {
                if successors.updateValue(record, forKey: previous) != nil {
                    throw damaged("fork: two pages follow \(previous)")
                }
            } else {
                if head != nil { throw damaged("have two first pages") }
                head = record
            }
        }
        guard var page = head else { throw damaged("have no first page") }
        var chain = [page]
        while let next = successors.removeValue(forKey: page.key) {
            chain.append(next)
            page = next
        }
        if chain.count != records.count { throw damaged("are not all linked to the first") }
        return chain
    }
}
