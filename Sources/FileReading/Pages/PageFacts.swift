/// What the pages of a file are, each by itself, noted in one reading: enough to follow trees and to see which page is not in its place.
///
/// Takes some 25 bytes of memory for each page.
struct PageFacts {
    /// A page below another one.
    struct Below {
        var page: Int
        /// The greatest rowid that it can have, as the page above says; nil for the last one and for pages of indexes.
        var greatest: Int64?
    }

    private let usable: Int
    private let tree: TreePages
    private var kinds: [UInt8]
    /// Whether cells of the page cannot be read, or are not in the order of their rowids.
    private var broken: Set<Int> = []
    private var empty: Set<Int> = []
    private var inside: [Int: [Below]] = [:]
    /// The least and the greatest rowid of each leaf of a table.
    private var (least, greatest): ([Int64], [Int64])
    /// A number that follows from all bytes of a page of a tree; 0 for other pages.
    private var digests: [UInt64]

    init(_ pages: FilePages) {
        usable = pages.usable
        tree = TreePages([:], pageSize: pages.pageSize, (pages.pageSize - pages.usable, false))
        kinds = Array(repeating: 0, count: pages.count + 1)
        (least, greatest) = (Array(repeating: 0, count: pages.count + 1), Array(repeating: 0, count: pages.count + 1))
        digests = Array(repeating: 0, count: pages.count + 1)
    }

    mutating func note(_ number: Int, _ bytes: UnsafeRawBufferPointer) {
        guard let page = TreePage(bytes, isFirst: number == 1, usable: usable) else { return }
        kinds[number] = page.kind.rawValue
        digests[number] = Self.digest(bytes)
        if page.count == 0 { empty.insert(number) }
        let cells = page.cells
        if cells.count != page.count { broken.insert(number) }
        switch page.kind {
        case .tableLeaf: noteRowids(number, page, cells)
        case .tableInside, .indexInside:
            let children = page.children
            inside[number] = children.enumerated().map { place, child in
                Below(
                    page: child,
                    greatest: page.kind == .tableInside && place < cells.count ? rowid(bytes, cells[place] + 4) : nil)
            }
        case .indexLeaf: break
        }
    }

    private mutating func noteRowids(_ number: Int, _ page: TreePage, _ cells: [Int]) {
        var last: Int64?
        for cell in cells {
            var place = cell
            guard tree.varint(page.bytes, &place) != nil, let rowid = tree.varint(page.bytes, &place) else {
                broken.insert(number)
                continue
            }
            if let last, rowid <= last { broken.insert(number) }
            if last == nil { least[number] = rowid }
            last = rowid
        }
        greatest[number] = last ?? 0
    }

    private func rowid(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Int64? {
        var place = place
        return tree.varint(bytes, &place)
    }

    private static func digest(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        for place in stride(from: 0, to: bytes.count - 7, by: 8) {
            sum = (sum ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 0x9e37_79b9_7f4a_7c15
            sum ^= sum >> 29
        }
        return sum | 1
    }

    /// Nil for a page that is none of a tree.
    func kind(_ page: Int) -> TreePages.Kind? { TreePages.Kind(rawValue: kinds[page]) }
    func isBroken(_ page: Int) -> Bool { broken.contains(page) }
    func isEmpty(_ page: Int) -> Bool { empty.contains(page) }

    /// The pages below a page, in their order; none for a leaf.
    func below(_ page: Int) -> [Below] { inside[page] ?? [] }

    /// Whether the rowids of a leaf of a table are between two others.
    func isLeaf(_ page: Int, behind low: Int64?, upTo high: Int64?) -> Bool {
        !isEmpty(page) && low.map { least[page] > $0 } ?? true && high.map { greatest[page] <= $0 } ?? true
    }

    /// The other pages with the bytes of this one, if it has cells.
    func twins(of page: Int) -> [Int] {
        guard page > 0, page < digests.count, digests[page] != 0, !isEmpty(page) else { return [] }
        return digests.indices.filter { digests[$0] == digests[page] && $0 != page }
    }
}
