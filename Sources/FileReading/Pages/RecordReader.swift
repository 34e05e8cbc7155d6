/// Reads records from cells. Trusts no byte.
struct RecordReader {
    let pages: FilePages
    private let tree: TreePages
    /// The most columns of a record that is read.
    private static let columnLimit = 2_000

    init(_ pages: FilePages) {
        self.pages = pages
        tree = TreePages([:], pageSize: pages.pageSize, (pages.pageSize - pages.usable, false))
    }

    /// What the head of a record says.
    struct Head {
        var rowid: Int64?
        /// The type codes of the columns.
        var types: [Int64]
        /// The bytes of the head, and of head and values.
        var headSize: Int
        var size: Int
        /// Where the record begins on the page, and how much of it is there.
        var start: Int
        var local: Int
    }

    /// Reads the head of the record in a cell.
    /// - Returns: nil if it is none, or its size is not that of its columns.
    func head(_ page: TreePage, cell: Int) -> Head? {
        let bytes = page.bytes
        var place = cell + (page.kind == .indexInside ? 4 : 0)
        guard page.kind != .tableInside, let size = tree.varint(bytes, &place), size > 0,
            size <= pages.count * pages.usable
        else { return nil }
        var rowid: Int64?
        if page.kind == .tableLeaf {
            rowid = tree.varint(bytes, &place)
            if rowid == nil { return nil }
        }
        let (start, local) = (place, tree.local(Int(size), page.kind))
        guard start + local + (local < size ? 4 : 0) <= pages.usable else { return nil }
        guard let headSize = tree.varint(bytes, &place), headSize > 0, headSize <= size, headSize <= local else {
            return nil
        }
        var types: [Int64] = []
        var sum = Int(headSize)
        while place < start + Int(headSize), types.count < Self.columnLimit {
            guard let type = tree.varint(bytes, &place), let width = Self.width(type), width <= size else { return nil }
            types.append(type)
            sum += width
        }
        guard place == start + Int(headSize), sum == size else { return nil }
        return Head(rowid: rowid, types: types, headSize: Int(headSize), size: Int(size), start: start, local: local)
    }

    /// The bytes of a value of this type; nil for a type that does not exist.
    static func width(_ type: Int64) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 12...: Int((type - 12) / 2)
        default: nil
        }
    }
}

extension RecordReader {
    /// Returns the most columns of a row on the first leaf of a table; nil if none can be read.
    func columns(ofTableAt root: Int) -> Int? {
        var number = root
        // SQLite's trees have at most 20 levels.
        for _ in 0..<20 {
            guard let bytes = pages.page(number) else { return nil }
            var next: Int?
            let columns: Int? = bytes.withUnsafeBytes { bytes in
                guard let page = TreePage(bytes, isFirst: number == 1, usable: pages.usable) else { return nil }
                next = page.children.first
                return page.kind == .tableLeaf ? page.cells.compactMap { head(page, cell: $0)?.types.count }.max() : nil
            }
            if let columns { return columns }
            guard let next else { return nil }
            number = next
        }
        return nil
    }
}
