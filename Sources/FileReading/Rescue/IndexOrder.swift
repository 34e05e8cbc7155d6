/// Whether the entries of an index are in their order: a page that was written over by another one of the same index, or by one of
/// another tree, breaks it, though every page is one of an index.
struct IndexOrder {
    private let pages: FilePages
    private let reader: RecordReader
    /// Whether a record can be an entry.
    private let isEntry: (RecordReader.Head) -> Bool
    private var last: [StoredValue.Content]?

    init(_ pages: FilePages, _ reader: RecordReader, isEntry: @escaping (RecordReader.Head) -> Bool) {
        (self.pages, self.reader, self.isEntry) = (pages, reader, isEntry)
    }

    private struct Step {
        let bytes: [UInt8]
        var cells: [Int] = []
        /// One more than the cells; none for a leaf.
        var children: [Int] = []
        var next = 0
    }

    /// Reads the whole index, each page once.
    /// - Parameters:
    ///   - root: of a tree in which no page is missing or met twice.
    ///   - isCancelled: called with each page.
    mutating func isKept(from root: Int, isCancelled: () throws -> Void) throws -> Bool {
        guard let first = step(root) else { return false }
        var open = [first]
        while var top = open.popLast() {
            try isCancelled()
            if top.children.isEmpty {
                guard top.cells.allSatisfy({ note($0, top.bytes) }) else { return false }
                continue
            }
            let place = top.next
            // A cell stands between the pages that it separates.
            if place > 0, place <= top.cells.count, !note(top.cells[place - 1], top.bytes) { return false }
            guard place < top.children.count else { continue }
            top.next += 1
            open.append(top)
            guard let below = step(top.children[place]) else { return false }
            open.append(below)
        }
        return true
    }

    private func step(_ number: Int) -> Step? {
        guard let bytes = pages.page(number) else { return nil }
        return bytes.withUnsafeBytes { raw in
            guard let page = TreePage(raw, isFirst: false, usable: pages.usable),
                page.kind == .indexLeaf || page.kind == .indexInside
            else { return nil }
            return Step(bytes: bytes, cells: page.cells, children: page.children)
        }
    }

    /// - Returns: false if the record in a cell is no entry, or does not follow the one before.
    private mutating func note(_ cell: Int, _ bytes: [UInt8]) -> Bool {
        let values: [StoredValue.Content]? = bytes.withUnsafeBytes { bytes in
            guard let page = TreePage(bytes, isFirst: false, usable: pages.usable),
                let head = reader.head(page, cell: cell), isEntry(head)
            else { return nil }
            return reader.record(head, page)?.values
        }
        guard let values else { return false }
        defer { last = values }
        return last.map { Self.isLess($0, values) } ?? true
    }

    /// In the order of SQLite: NULL, numbers, texts, bytes. Texts are compared byte by byte.
    private static func isLess(_ before: [StoredValue.Content], _ after: [StoredValue.Content]) -> Bool {
        for (first, second) in zip(before, after) where first != second {
            switch (first, second) {
            case (.integer(let first), .integer(let second)): return first < second
            case (.integer(let first), .real(let second)) where Double(first) != second: return Double(first) < second
            case (.real(let first), .integer(let second)) where first != Double(second): return first < Double(second)
            case (.integer, .real), (.real, .integer): continue
            case (.real(let first), .real(let second)): return first < second
            case (.text(let first), .text(let second)), (.blob(let first), .blob(let second)):
                return first.lexicographicallyPrecedes(second)
            default: return rank(first) < rank(second)
            }
        }
        return false
    }

    private static func rank(_ value: StoredValue.Content) -> Int {
        switch value {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }
}
