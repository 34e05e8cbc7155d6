import FileEngine
import ViewPageKeys

/// Collects the page of each row while groups are filled, and sorts these entries by rowid. Then the map table is written once for all groups, in
/// the order of the rowids, so that the table grows at its end. If the entries do not fit into memory, they are sorted in parts, which are kept in
/// a temporary file.
///
/// See `docs/decisions/large-populations.md`.
final class PageMapSorter {
    /// The entries in memory, 16 bytes each: a rowid as an unsigned number of the same order, and the index of its page.
    private var rows: [IndexedNumber] = []
    private var pages: [PageName] = []
    private var file: TemporaryFile?
    private var parts: [Range<Int>] = []
    /// The most rows in memory.
    private let limit: Int
    private let folder: String

    private static let rowsOfPortion = 1_024

    /// - Parameter folder: for the temporary file.
    init(limit: Int, folder: String) { (self.limit, self.folder) = (limit, folder) }

    func add(_ rowids: [Int64], to page: PageName) throws {
        let number = Int32(pages.count)
        pages.append(page)
        for rowid in rowids { rows.append((rowid.orderedNumber, number)) }
        if rows.count >= limit { try store() }
    }

    /// Calls the body with all rows in the order of their rowids, some at a time, and with all pages. Must be called once.
    func forEachPortion(_ body: ([PageMapWriter.Row], [PageName]) throws -> Void) throws {
        rows.radixSort()
        let last = rows
        rows = []
        guard let file else {
            for start in stride(from: 0, to: last.count, by: Self.rowsOfPortion) {
                try body(last[start..<min(start + Self.rowsOfPortion, last.count)].map(PageMapWriter.Row.init), pages)
            }
            return
        }
        var all = parts.map { MapPart(file, $0) } + [MapPart(last)]
        var heads: [IndexedNumber?] = []
        for index in all.indices { heads.append(try all[index].next()) }
        func wins(_ part: Int, _ other: Int) -> Bool {
            guard let row = heads[part] else { return false }
            return heads[other].map { row.number < $0.number } ?? true
        }
        var tournament = Tournament(of: all.count, wins)
        var portion: [PageMapWriter.Row] = []
        portion.reserveCapacity(Self.rowsOfPortion)
        while let row = heads[tournament.winner] {
            portion.append(PageMapWriter.Row(row))
            if portion.count == Self.rowsOfPortion {
                try body(portion, pages)
                portion.removeAll(keepingCapacity: true)
            }
            heads[tournament.winner] = try all[tournament.winner].next()
            tournament.replay(wins)
        }
        if !portion.isEmpty { try body(portion, pages) }
    }

    private func store() throws {
        let file = try self.file ?? TemporaryFile(inFolder: folder)
        self.file = file
        let start = file.size
        rows.radixSort()
        try rows.withUnsafeBytes { try file.append($0) }
        parts.append(start..<file.size)
        rows.removeAll(keepingCapacity: true)
    }
}

extension Int64 {
    /// An unsigned number that has the same place in the order of numbers.
    fileprivate var orderedNumber: UInt64 { UInt64(bitPattern: self) ^ 1 << 63 }
}

extension PageMapWriter.Row {
    fileprivate init(_ row: IndexedNumber) {
        self.init(rowid: Int64(bitPattern: row.number ^ 1 << 63), page: row.index)
    }
}

/// Sorted rows of a map, in memory or in a file.
private struct MapPart {
    private var rows: [IndexedNumber]
    private var place = 0
    private let file: TemporaryFile?
    /// The bytes of the file that are not read yet.
    private var rest: Range<Int>

    /// Rows that are read at once.
    private static let rowsOfBuffer = 1_024

    init(_ rows: [IndexedNumber]) { (self.rows, file, rest) = (rows, nil, 0..<0) }

    init(_ file: TemporaryFile, _ part: Range<Int>) { (rows, self.file, rest) = ([], file, part) }

    @inline(__always) mutating func next() throws -> IndexedNumber? {
        if place == rows.count, try !read() { return nil }
        place += 1
        return rows[place - 1]
    }

    private mutating func read() throws -> Bool {
        rows = []
        place = 0
        guard let file, !rest.isEmpty else { return false }
        let size = MemoryLayout<IndexedNumber>.stride
        let count = min(rest.count / size, Self.rowsOfBuffer)
        rows = try [IndexedNumber](unsafeUninitializedCapacity: count) { buffer, initialized in
            try file.read(
                into: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count * size), at: rest.lowerBound
            )
            initialized = count
        }
        rest = rest.lowerBound + count * size..<rest.upperBound
        return true
    }
}

/// The groups and pages of a view while it is filled.
struct PageCollector {
    /// Whether the pages are in the store, so that their rows are not kept.
    private let isPersistent: Bool
    /// The pages of a stored view.
    private var summary = PageSummaryWriter(expecting: 0)
    /// The pages of a view in memory.
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
            // The file has no summary yet.
            state.hasSummary = false
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
