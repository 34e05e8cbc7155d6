/// The rows of a group in their present order, as pieces in a B+ tree that counts rows.
///
/// Every operation of a log is one descent from the root, so k operations cost O(k log k) whatever the group's length:
/// ten million untouched rows are one piece. The nodes are stored in a few arrays, a fixed stretch for each, so that no
/// node needs an allocation. Full nodes are split during the descent; empty ones stay.
struct PieceTable {
    static let leafCapacity = 48
    static let branchCapacity = 64

    /// The number of rows.
    private(set) var count: Int
    /// The pieces of each leaf, `leafCapacity` apart, and how many it has. A search reads the lengths alone, which fill half as many of the
    /// processor's cache lines.
    var lengths: [Int]
    var sources: [Int]
    var pieceCounts: [UInt8]
    /// The children of each branch with the number of rows below each, `branchCapacity` apart, and how many it has.
    var children: [Int32] = []
    var sizes: [Int] = []
    var childCounts: [UInt8] = []
    var root = 0
    /// The number of levels of branches above the leaves.
    var height = 0

    /// Creates a table of `count` untouched rows, with capacity for about `operations` operations.
    init(count: Int, operations: Int = 0) {
        self.count = count
        lengths = Array(repeating: 0, count: Self.leafCapacity)
        sources = lengths
        pieceCounts = [UInt8(min(count, 1))]
        // An operation makes one piece or two; leaves are two thirds full.
        if operations > Self.leafCapacity / 2 {
            lengths.reserveCapacity(Self.leafCapacity + 2 * operations)
            sources.reserveCapacity(Self.leafCapacity + 2 * operations)
        }
        self[0] = Piece(run: 0, length: count)
    }

    func endOfPieces(in leaf: Int) -> Int { leaf * Self.leafCapacity + Int(pieceCounts[leaf]) }
    func endOfChildren(of branch: Int) -> Int { branch * Self.branchCapacity + Int(childCounts[branch]) }

    /// The piece at a place among those of all leaves.
    subscript(slot: Int) -> Piece {
        get { Piece(length: lengths[slot], source: sources[slot]) }
        set { (lengths[slot], sources[slot]) = (newValue.length, newValue.source) }
    }
}

extension PieceTable {
    /// Inserts a touched row before the row that is now at `index`, or at the end.
    mutating func insert(touch: Int32, at index: Int) {
        let place = descend(to: index, adding: 1)
        count += 1
        let inserted = Piece(touch: touch)
        if place.offset == 0 {
            open(1, at: place)
            self[place.slot] = inserted
        } else {
            let run = self[place.slot]
            open(2, at: place)
            self[place.slot] = run.prefix(place.offset)
            self[place.slot + 1] = inserted
            self[place.slot + 2] = run.suffix(from: place.offset)
        }
    }

    /// Removes the row at `index` and returns it: a touched row, or a run of one.
    mutating func remove(at index: Int) -> Piece {
        let place = descend(to: index, adding: -1)
        count -= 1
        let piece = self[place.slot]
        guard piece.length > 1 else {
            close(at: place)
            return piece
        }
        if place.offset == 0 {
            self[place.slot] = piece.suffix(from: 1)
        } else {
            self[place.slot] = piece.prefix(place.offset)
            if place.offset + 1 < piece.length {
                open(1, at: place.next)
                self[place.slot + 1] = piece.suffix(from: place.offset + 1)
            }
        }
        return Piece(run: piece.source + place.offset, length: 1)
    }

    /// Returns the touched row at `index`. For an untouched row, `makeTouch` gets its index before the log.
    mutating func touch(at index: Int, makeTouch: (Int) -> Int32) -> Int32 {
        let place = descend(to: index, adding: 0)
        let piece = self[place.slot]
        if let touch = piece.touch { return touch }
        let before = piece.source + place.offset
        let touch = makeTouch(before)
        let (head, tail) = (place.offset, piece.length - place.offset - 1)
        open(min(head, 1) + min(tail, 1), at: place)
        var slot = place.slot
        if head > 0 {
            self[slot] = piece.prefix(head)
            slot += 1
        }
        self[slot] = Piece(touch: touch)
        if tail > 0 { self[slot + 1] = piece.suffix(from: head + 1) }
        return touch
    }

    /// Calls `body` with every piece, in the order of the rows, and frees them: the table is then one run.
    mutating func drainPieces(_ body: (Piece) -> Void) {
        visit(root, level: height, body)
        if height > 0 { self = PieceTable(count: count) }
    }

    private func visit(_ node: Int, level: Int, _ body: (Piece) -> Void) {
        if level == 0 {
            for slot in node * Self.leafCapacity..<endOfPieces(in: node) { body(self[slot]) }
        } else {
            for slot in node * Self.branchCapacity..<endOfChildren(of: node) {
                visit(Int(children[slot]), level: level - 1, body)
            }
        }
    }
}
