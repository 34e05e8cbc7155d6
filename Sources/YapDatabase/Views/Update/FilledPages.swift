import FileEngine
import ViewPageKeys

/// The groups and pages of a view while it is filled.
struct FilledPages {
    /// Whether the pages are in the store, so that their rows are not kept.
    private let isPersistent: Bool
    /// Of a view that is stored.
    private var summary = PageSummaryWriter(expecting: 0)
    /// Of a view in memory.
    private var groups: [(key: String, value: [SortedTree<Int64, Page>.Element])] = []

    init(isPersistent: Bool) { self.isPersistent = isPersistent }

    /// Begins a group. Groups are added in the order of their names.
    mutating func begin(_ group: String) {
        if isPersistent { summary.add(group: group) } else { groups.append((group, [])) }
    }

    /// Adds a page to the group.
    /// - Parameter record: the rowid of its record in the store.
    mutating func add(_ key: PageKey, _ rows: [Int64], record: Int64?) {
        if isPersistent {
            let isAdded = summary.add(key, rows: rows.count, record: record, first: rows.first)
            require(isAdded, "A view has more pages than a file can hold.")
        } else {
            let label = Int64(groups[groups.count - 1].value.count) * pageLabelGap
            groups[groups.count - 1].value.append(
                (label, Page(count: rows.count, content: PageContent(key, rows: rows, first: rows.first))))
        }
    }

    /// The state of a view that has these pages. O(p log p) for p pages.
    func state() -> ViewState {
        var state = ViewState()
        if isPersistent {
            guard let summary = summary.summary() else { fatalError("A group was filled twice.") }
            state = ViewState(summary)
            // The file has none.
            state.isFromSummary = false
            return state
        }
        var addresses: [SortedTree<PageName, PageAddress>.Element] = []
        for (group, pages) in groups {
            for (label, page) in pages {
                addresses.append((page.content.name, PageAddress(group: group, label: label)))
            }
        }
        state.groups = SortedTree(sorted: groups.map { ($0.key, PageList(pages: SortedTree(sorted: $0.value))) })
        state.addresses = SortedTree(sorted: addresses.sorted { $0.key < $1.key })
        return state
    }
}
