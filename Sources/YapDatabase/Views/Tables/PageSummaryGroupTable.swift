import ListChanges

/// Finds the groups in the bytes of a ``PageSummary``. There may be as many groups as pages, so a name becomes a text only when it is used.
struct PageSummaryGroupTable {
    /// The places of a group's pages in the list, and its name in the bytes.
    typealias Entry = (pages: Range<Int>, name: Range<Int>)

    let count: Int
    /// Where the bytes have the table.
    private let start: Int
    /// The first place and the begin of the name of each group whose index is a multiple of ``step``: from there, others are counted.
    private var starts: [(page: UInt32, name: UInt32)] = []
    /// The indexes in the order of the names, nil where they are in it. Earlier releases stored them in Swift's order.
    private var ordered: [UInt32]?

    private static let step = 32

    func index(ofRank rank: Int) -> Int { ordered.map { Int($0[rank]) } ?? rank }

    func entry(_ index: Int, _ bytes: UnsafeRawBufferPointer) -> Entry {
        let known = starts[index / Self.step]
        var (page, name) = (Int(known.page), Int(known.name))
        for before in index / Self.step * Self.step..<index {
            let group = extent(before, bytes)
            page += group.pages
            name += group.name
        }
        let group = extent(index, bytes)
        return (page..<page + group.pages, name..<name + group.name)
    }

    /// The sum of what `body` gives for the places of the pages of some groups.
    func sum(ofRanks ranks: Range<Int>, _ bytes: UnsafeRawBufferPointer, _ body: (Range<Int>) -> Int) -> Int {
        if let ordered { return ranks.reduce(0) { $0 &+ body(entry(Int(ordered[$1]), bytes).pages) } }
        guard let first = ranks.first, let last = ranks.last else { return 0 }
        return body(entry(first, bytes).pages.lowerBound..<entry(last, bytes).pages.upperBound)
    }

    func index(ofPlace place: Int, _ bytes: UnsafeRawBufferPointer) -> Int {
        var index = (starts.indices.partitionPoint { starts[$0].page > place } - 1) * Self.step
        var end = Int(starts[index / Self.step].page) + extent(index, bytes).pages
        while end <= place {
            index += 1
            end += extent(index, bytes).pages
        }
        return index
    }

    /// The number of pages of a group, and of the bytes of its name.
    private func extent(_ index: Int, _ bytes: UnsafeRawBufferPointer) -> (pages: Int, name: Int) {
        let entry = start + 8 * index
        return (Int(bytes.number(entry, UInt32.self)), Int(bytes.number(entry + 4, UInt32.self)))
    }

    /// Nil unless each group has a page, all have together the pages of the summary, and no name is there twice.
    init?(_ bytes: UnsafeRawBufferPointer, _ layout: PageSummary.Layout) {
        (count, start) = (layout.groups, layout.groupTable)
        starts.reserveCapacity(count / Self.step + 1)
        var (page, text) = (0, layout.groupNames)
        var (last, isAscending): (UnsafeRawBufferPointer?, Bool) = (nil, true)
        var checked = text
        for index in 0..<count {
            if index % Self.step == 0 { starts.append((UInt32(page), UInt32(text))) }
            let group = extent(index, bytes)
            guard group.pages > 0, group.pages <= layout.pages - page, group.name <= bytes.count - text,
                // No name begins within a character of all names together.
                group.name == 0 || bytes[text] & 0xc0 != 0x80
            else { return nil }
            let name = UnsafeRawBufferPointer(rebasing: bytes[text..<text + group.name])
            if let last, last.byteOrder(to: name) >= 0 { isAscending = false }
            last = name
            page += group.pages
            text += group.name
            // Some at a time: the texts are made for the check alone, and one of all names would need new memory of that size.
            if text - checked >= 16 << 10 || index == count - 1 {
                guard String(validating: bytes[checked..<text], as: UTF8.self) != nil else { return nil }
                checked = text
            }
        }
        guard page == layout.pages, text == bytes.count else { return nil }
        if !isAscending {
            let names = (0..<count).map { UnsafeRawBufferPointer(rebasing: bytes[entry($0, bytes).name]) }
            let sorted = names.indices.sorted { names[$0].byteOrder(to: names[$1]) < 0 }
            guard zip(sorted, sorted.dropFirst()).allSatisfy({ names[$0].byteOrder(to: names[$1]) < 0 }) else {
                return nil
            }
            ordered = sorted.map { UInt32($0) }
        }
    }
}
