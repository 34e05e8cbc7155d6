import FileEngine
import ViewPageKeys

/// A view's content in one snapshot: its groups, their pages, and the number of rows in each.
///
/// A value: a commit makes a new one that shares all unchanged paths with the one before, and every connection on the
/// same snapshot uses the same value. It holds no rows; these are in the pages' ``PageContent``, read on demand.
///
/// Memory: about 170 bytes a page, which is 3.8 bytes a row of a filled page. A state that was loaded from a summary, or that filling the
/// view made, takes 34 bytes a page and about 200 bytes for each 1,024 pages. A page that is visited then takes its 170 bytes.
struct ViewState: ExtensionState {
    /// The pages of each group, by group name.
    var groups = SortedTree<String, PageList>()
    /// The position of each page, by the name made of its key.
    var addresses = SortedTree<PageName, PageAddress>()
    /// The page of each row, by rowid. Only for a view in memory; a persistent view reads its map table.
    var map = SortedTree<Int64, MapEntry>()
    /// The rows that cannot be decoded, by rowid. Only for a view in memory; the file has those of the others.
    var leftOut = SortedTree<Int64, LeftOutRow>()
    /// Whether the file has a summary of this state, because the state was loaded from one or its commit wrote one. The next commit that changes
    /// the pages removes it.
    var hasSummary = false
    /// What the file lacks of a stored view, which it marks as stale then; nil if it has all.
    var unstored: UnstoredPages?

    var isUnstored: Bool { unstored != nil }
    var isEmpty: Bool { groups.isEmpty }

    func count(inGroup group: String) -> Int { groups[group]?.weight ?? 0 }
}

/// The pages of one group in order.
///
/// The keys of the tree are *labels*: numbers that define only the order, with gaps, so that a page can be put between
/// two others without changing either.
struct PageList: Weighted {
    typealias Pages = SortedTree<Int64, Page>

    var pages = Pages()

    /// The number of rows.
    var weight: Int { pages.weight }
}

extension PageList {
    fileprivate init(_ summary: PageSummary, _ places: Range<Int>) {
        let first = places.lowerBound
        @Sendable func label(_ index: Int) -> Int64 { Int64(index) * pageLabelGap }
        pages = SortedTree(
            lazily: places.count,
            weight: { summary.rows(at: first + $0.lowerBound..<first + $0.upperBound) }, key: label,
            source: { indexes in
                indexes.map { index in
                    let place = first + index
                    let content = PageContent(
                        PageKey(uuid: summary.name(at: place)), record: summary.record(at: place),
                        first: summary.first(at: place))
                    return (label(index), Page(count: summary.rows(at: place), content: content))
                }
            })
    }
}

/// One page in one snapshot: a run of neighbouring rows of a group.
struct Page: Weighted {
    /// The number of rows.
    var count: Int
    var content: PageContent

    var key: String { content.key }
    var weight: Int { count }
}

struct PageAddress: Weighted {
    let group: String
    var label: Int64

    var weight: Int { 1 }
}

struct MapEntry: Weighted {
    let page: PageName

    var weight: Int { 1 }
}

extension LeftOutRow: Weighted {
    var weight: Int { 1 }
}

/// The distance between the labels of neighbouring pages when a group is loaded or grows at an end. Half of it can be
/// halved 31 times before labels must be spread again, and 2 billion pages fit on either side.
let pageLabelGap: Int64 = 1 << 32

/// More rows than fit into the largest value that SQLite stores.
private let pageRowLimit = 1 << 27

extension ViewState {
    /// Loads a view from the summary of its pages or, if there is none, from its pages.
    /// - Parameter summary: if it is nil or cannot be read, the pages are read instead, which say the same.
    init(ofView name: String, in store: Store, _ summary: @autoclosure () throws -> PageSummary?) throws {
        if let summary = try? summary() {
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

extension ViewState {
    /// The fewest pages for which a summary is written when the database is closed or rests. Fewer pages are loaded in less than a millisecond, and the commit
    /// that writes a summary and waits for the disk takes as long. Tests set another number.
    @TaskLocal static var minSummarizedPages = 1_000

    /// Makes the state of a summary. Its groups and pages are made when they are first visited, 32 at a time. O(p) for p pages, about 10 ns a
    /// page.
    init(_ summary: PageSummary) {
        groups = SortedTree(
            lazily: summary.groupCount, weight: summary.rows(ofGroups:), key: { summary.group(ofRank: $0).name },
            source: { ranks in
                ranks.map { rank in
                    let group = summary.group(ofRank: rank)
                    return (group.name, PageList(summary, group.pages))
                }
            })
        addresses = SortedTree(
            lazily: summary.count, weight: { $0.count }, key: summary.name(ofRank:),
            source: { ranks in
                ranks.map { rank in
                    let place = summary.place(ofRank: rank)
                    let group = summary.group(at: place)
                    let label = Int64(place - group.pages.lowerBound) * pageLabelGap
                    return (summary.name(ofRank: rank), PageAddress(group: group.name, label: label))
                }
            })
        hasSummary = true
    }

    /// About how many bytes a summary takes; 0 if there is none, because there are few pages.
    var sizeOfSummary: Int { Self.sizeOfSummary(ofPages: addresses.count) }

    static func sizeOfSummary(ofPages count: Int) -> Int {
        count < minSummarizedPages ? 0 : PageSummary.pageSize * count
    }

    /// A summary of the pages, nil if there are few, or if one cannot be part of a summary. O(p) for p pages.
    func summary() -> PageSummaryWriter? {
        guard addresses.count >= Self.minSummarizedPages else { return nil }
        var writer = PageSummaryWriter(expecting: addresses.count)
        var isComplete = true
        groups.forEach(keepsMade: false) { group, list in
            writer.add(group: group)
            list.pages.forEach(keepsMade: false) { _, page in
                let content = page.content
                isComplete = writer.add(
                    content.pageKey, rows: page.count, record: content.record, first: content.first)
                return isComplete
            }
            return isComplete
        }
        return isComplete ? writer : nil
    }
}
