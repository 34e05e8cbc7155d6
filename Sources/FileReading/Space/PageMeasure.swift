import FileEngine

/// Counts the pages of each tree, with those of long values, and the bytes of each collection. Trusts no byte.
struct PageMeasure {
    /// The pages of each tree, in the order of the roots.
    private(set) var pages: [Int]
    private(set) var collections: [StoredText: FileSpace.Collection] = [:]

    private let usable: Int
    private let tree: TreePages
    /// The most bytes that a record can have.
    private let maxRecord: Int
    /// The collection of the row before, which is mostly that of the next.
    private var last: (name: [UInt8], found: FileSpace.Collection) = ([], .init())

    /// Reads the file twice: to follow the trees, and for what is on their pages.
    /// - Parameter rows: the root of the rows.
    init(_ file: FilePages, _ roots: [Int], rows: Int?, isCancelled: () -> Bool) throws {
        pages = Array(repeating: 0, count: roots.count)
        usable = file.usable
        tree = TreePages([:], pageSize: file.pageSize, (file.pageSize - file.usable, false))
        maxRecord = file.count * file.usable
        let owners = try PageOwners(file, roots: roots, isCancelled: isCancelled)
        let rowsPlace = rows.flatMap { roots.firstIndex(of: $0) }
        try file.forEach(isCancelled: isCancelled) { number, bytes in
            guard let owner = owners.tree(of: number),
                let page = TreePage(bytes, isFirst: number == 1, usable: usable)
            else { return }
            pages[owner] += 1 + measure(page, isRows: owner == rowsPlace)
        }
        endCollection()
    }

    /// - Returns: the pages of long values that the cells of a page lead to.
    private mutating func measure(_ page: TreePage, isRows: Bool) -> Int {
        guard page.kind != .tableInside else { return 0 }
        let isRowLeaf = isRows && page.kind == .tableLeaf
        var chained = 0
        page.forEachCell { cell in
            var place = cell + (page.kind == .indexInside ? 4 : 0)
            guard let size = tree.varint(page.bytes, &place), size > 0, size <= maxRecord else { return }
            if page.kind == .tableLeaf, tree.varint(page.bytes, &place) == nil { return }
            let local = tree.local(Int(size), page.kind)
            if local < size { chained += (Int(size) - local + usable - 5) / (usable - 4) }
            if isRowLeaf { addRow(page.bytes, place, min(place + local, usable), Int(size)) }
        }
        return chained
    }

    /// Adds a row to its collection: the second column, behind the rowid's NULL.
    private mutating func addRow(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int, _ size: Int) {
        var place = start
        guard let head = tree.varint(bytes, &place), head > 2, start + Int(head) <= end,
            let rowid = tree.varint(bytes, &place), let rowidWidth = RecordReader.width(rowid),
            let type = tree.varint(bytes, &place), type >= 12, let width = RecordReader.width(type),
            start + Int(head) + rowidWidth + width <= end
        else { return }
        let from = start + Int(head) + rowidWidth
        let name = UnsafeRawBufferPointer(rebasing: bytes[from..<from + width])
        if last.found.rows == 0 || !name.elementsEqual(last.name) {
            endCollection()
            last.name = Array(name)
        }
        last.found.rows += 1
        last.found.bytes += size
    }

    private mutating func endCollection() {
        guard last.found.rows > 0 else { return }
        var found = collections[StoredText(last.name, isBlob: false), default: .init()]
        found.rows += last.found.rows
        found.bytes += last.found.bytes
        collections[StoredText(last.name, isBlob: false)] = found
        last.found = .init()
    }
}
