import FileEngine

/// To which tree each page of a file belongs, found by following the trees from their roots, and the list of free pages.
///
/// A tree page that none of them leads to is left over from a tree whose inner page is lost, if it is not free.
struct PageOwners {
    /// The tree of each page: the place of its root in the list of roots, counted from 1; 0 for none.
    private var owners: [UInt16]
    private let roots: [Int]
    /// The roots of trees that lack a page, or have a page of something else or in a wrong place.
    private(set) var isTorn: Set<Int> = []
    private var facts: PageFacts
    private var isFree: [Bool]
    /// Whether every free page is known.
    private(set) var knowsFree = false
    /// The leaves of tables, and the pages of indexes, that no tree leads to and that are not free.
    private(set) var strayLeaves: [Int] = []
    private(set) var strayKeys: [Int] = []
    /// The pages of no kind that trees lead to.
    private(set) var brokenPages: [Int] = []

    private static let (depthLimit, rootLimit) = (40, 60_000)

    /// Reads the whole file once.
    /// - Parameter roots: the first pages of all trees, the most important first: a page that two trees claim is the first's.
    init(_ pages: FilePages, roots: [Int], isCancelled: () -> Bool) throws {
        self.roots = Array(roots.prefix(Self.rootLimit))
        owners = Array(repeating: 0, count: pages.count + 1)
        isFree = Array(repeating: false, count: pages.count + 1)
        facts = PageFacts(pages)
        let map = PointerMap(pages)
        knowsFree = map != nil
        try pages.forEach(isCancelled: isCancelled) { number, bytes in
            if map?.isMap(number) == true { return map!.markFree(number, bytes, &isFree) }
            facts.note(number, bytes)
        }
        markFree(pages)
        for (place, root) in self.roots.enumerated() { follow(root, UInt16(place + 1)) }
        for number in 2..<max(2, owners.count) where owners[number] == 0 && !isFree[number] {
            switch facts.kind(number) {
            case .tableLeaf: strayLeaves.append(number)
            case .indexLeaf, .indexInside: if map?.isMap(number) != true { strayKeys.append(number) }
            default: break
            }
        }
    }

    /// Whether every page of a tree is there, and in its place as far as rowids tell.
    func isWhole(_ root: Int?) -> Bool { root.map { roots.contains($0) && !isTorn.contains($0) } ?? false }

    /// Returns the place of the root of a page's tree in the list of roots; nil for a page that no tree leads to.
    func tree(of page: Int) -> Int? { owners[page] == 0 ? nil : Int(owners[page]) - 1 }

    /// Returns the pages of the tree with this root.
    func pages(of root: Int) -> [Int] {
        guard let place = roots.firstIndex(of: root) else { return [] }
        return owners.indices.filter { owners[$0] == UInt16(place + 1) }
    }

    /// Whether the root is a copy of a page that is in use: written over it, or made of it.
    func hasTwin(_ root: Int) -> Bool {
        facts.twins(of: root).contains { !isFree[$0] }
    }

    /// Whether a page of a tree has no cells.
    func isEmpty(_ page: Int) -> Bool { facts.isEmpty(page) }

    /// A page that a tree leads to, and the rowids that it can have.
    private struct Step {
        var page: Int
        var depth = 0
        /// The greatest rowid before it, and its own greatest; for tables.
        var low: Int64?
        var high: Int64?
    }

    private mutating func follow(_ root: Int, _ owner: UInt16) {
        var open = [Step(page: root)]
        var isTable: Bool?
        var leafDepth: Int?
        while let step = open.popLast() {
            let page = step.page
            guard page > 0, page < owners.count, owners[page] == 0, step.depth < Self.depthLimit else {
                isTorn.insert(root)
                continue
            }
            let kind = facts.kind(page)
            let isTablePage = kind == .tableLeaf || kind == .tableInside
            guard kind != nil, isTable == nil || isTable == isTablePage else {
                isTorn.insert(root)
                if kind == nil { brokenPages.append(page) }
                continue
            }
            isTable = isTablePage
            owners[page] = owner
            let below = facts.below(page)
            if below.isEmpty {
                let isEmptyTable = page == root && facts.isEmpty(page)
                let isInPlace = isEmptyTable || !isTablePage || facts.isLeaf(page, behind: step.low, upTo: step.high)
                if facts.isBroken(page) || !isInPlace || leafDepth ?? step.depth != step.depth { isTorn.insert(root) }
                if facts.isEmpty(page), page != root { isTorn.insert(root) }
                leafDepth = step.depth
                continue
            }
            if facts.isBroken(page) { isTorn.insert(root) }
            var low = step.low
            for child in below {
                open.append(Step(page: child.page, depth: step.depth + 1, low: low, high: child.greatest ?? step.high))
                low = child.greatest ?? low
            }
        }
    }

    /// Follows the list of free pages.
    private mutating func markFree(_ pages: FilePages) {
        guard let header = pages.page(1), pages.header != nil || header.starts(with: Array("SQLite format 3".utf8))
        else { return }
        var (next, stated) = header.withUnsafeBytes { (Int($0.bigEndian32(at: 32)), Int($0.bigEndian32(at: 36))) }
        var met: Set<Int> = []
        while next != 0 {
            guard next > 1, met.insert(next).inserted, let trunk = pages.page(next) else { return }
            let count = trunk.withUnsafeBytes { Int($0.bigEndian32(at: 4)) }
            guard count <= pages.usable / 4 - 2, count + 1 <= stated else { return }
            for place in 0..<count {
                let leaf = trunk.withUnsafeBytes { Int($0.bigEndian32(at: 8 + 4 * place)) }
                guard leaf > 1, leaf < isFree.count else { return }
                isFree[leaf] = true
            }
            isFree[next] = true
            stated -= count + 1
            next = trunk.withUnsafeBytes { Int($0.bigEndian32(at: 0)) }
        }
        knowsFree = stated == 0 || knowsFree
    }
}

/// The pages that say what each other page is for. Only a file with `auto_vacuum`, which is shortened when pages become free, has them.
private struct PointerMap {
    private static let (entrySize, freeType) = (5, UInt8(2))
    private let span: Int
    private let lockPage: Int
    private let pageLimit: Int

    init?(_ pages: FilePages) {
        guard pages.hasPointerMap else { return nil }
        span = pages.usable / Self.entrySize + 1
        // The page of the bytes that SQLite locks holds no data; a map page that would fall on it is the next one.
        lockPage = (1 << 30) / pages.pageSize + 1
        pageLimit = pages.count
    }

    func isMap(_ number: Int) -> Bool {
        guard number > 1 else { return false }
        let map = (number - 2) / span * span + 2
        return number == (map == lockPage ? map + 1 : map)
    }

    func markFree(_ number: Int, _ bytes: UnsafeRawBufferPointer, _ isFree: inout [Bool]) {
        for place in 0..<span - 1
        where number + 1 + place <= pageLimit && bytes[place * Self.entrySize] == Self.freeType {
            isFree[number + 1 + place] = true
        }
    }
}
