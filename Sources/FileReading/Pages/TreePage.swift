/// One page of a tree, as far as it can be read: where its cells are, and which pages it leads to.
struct TreePage {
    let kind: TreePages.Kind
    /// The number of cells that it states.
    let count: Int
    let bytes: UnsafeRawBufferPointer
    private let start: Int
    private let usable: Int

    /// - Returns: nil if it is no page of a tree.
    init?(_ bytes: UnsafeRawBufferPointer, isFirst: Bool, usable: Int) {
        start = isFirst ? 100 : 0
        guard bytes.count >= start + 12, let kind = TreePages.Kind(rawValue: bytes[start]) else { return nil }
        (self.bytes, self.kind, self.usable) = (bytes, kind, usable)
        count = bytes.bigEndian16(at: start + 3)
        guard cellsStart + 2 * count <= usable else { return nil }
    }

    private var isInside: Bool { kind == .tableInside || kind == .indexInside }
    private var cellsStart: Int { start + (isInside ? 12 : 8) }

    /// The places of the cells that are on the page.
    var cells: [Int] {
        (0..<count).map { bytes.bigEndian16(at: cellsStart + 2 * $0) }
            .filter { $0 >= cellsStart + 2 * count && $0 + 4 <= usable }
    }

    /// Calls a closure with the place of each cell that is on the page.
    func forEachCell(_ body: (Int) -> Void) {
        let least = cellsStart + 2 * count
        for number in 0..<count {
            let place = bytes.bigEndian16(at: cellsStart + 2 * number)
            if place >= least, place + 4 <= usable { body(place) }
        }
    }

    /// The pages below this one; none for a leaf.
    var children: [Int] {
        isInside ? (cells.map { bytes.bigEndian32(at: $0) } + [bytes.bigEndian32(at: start + 8)]).map(Int.init) : []
    }
}
