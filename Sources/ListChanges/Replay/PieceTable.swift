/// The rows of a group in their present order, as pieces in a B+ tree that counts rows.
///
/// Every operation of a log is one descent from the root, so k operations cost O(k log k) whatever the group's length:
/// ten million untouched rows are one piece. The nodes are stored in a few arrays, a fixed stretch for each, so that no
/// node needs an allocation. Full nodes are split during the descent; empty ones stay.
struct PieceTable {
    static let leafCapacity = 32
    static let branchCapacity = 32

    /// The number of rows.
    private(set) var count: Int
    /// The pieces of each leaf, `leafCapacity` apart, and how many it has.
    var pieces: [Piece]
    var pieceCounts: [Int]
    /// The children of each branch with the number of rows below each, `branchCapacity` apart, and how many it has.
    var children: [Int] = []
    var sizes: [Int] = []
    var childCounts: [Int] = []
    var root = 0
    /// The number of levels of branches above the leaves.
    var height = 0

    /// Creates a table of `count` untouched rows, with capacity for about `operations` operations.
    init(count: Int, operations: Int = 0) {
        self.count = count
        self.pieces = [Piece](repeating: .unused, count: Self.leafCapacity)
        // An operation makes one piece or two; leaves are two thirds full.
        if operations > Self.leafCapacity / 2 { self.pieces.reserveCapacity(Self.leafCapacity + 2 * operations) }
        self.pieces[0] = Piece(run: 0, length: count)
        self.pieceCounts = [min(count, 1)]
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
            pieces[place.slot] = inserted
        } else {
            let run = pieces[place.slot]
            open(2, at: place)
            pieces[place.slot] = run.prefix(place.offset)
            pieces[place.slot + 1] = inserted
            pieces[place.slot + 2] = run.suffix(from: place.offset)
        }
    }

    /// Removes the row at `index` and returns it: a touched row, or a run of one.
    mutating func remove(at index: Int) -> Piece {
        let place = descend(to: index, adding: -1)
        count -= 1
        let piece = pieces[place.slot]
        guard piece.length > 1 else {
            close(at: place)
            return piece
        }
        if place.offset == 0 {
            pieces[place.slot] = piece.suffix(from: 1)
        } else {
            pieces[place.slot] = piece.prefix(place.offset)
            if place.offset + 1 < piece.length {
                open(1, at: place.next)
                pieces[place.slot + 1] = piece.suffix(from: place.offset + 1)
            }
        }
        return Piece(run: piece.before + place.offset, length: 1)
    }

    /// Returns the touched row at `index`. For an untouched row, `makeTouch` gets its index before the log.
    mutating func touch(at index: Int, makeTouch: (Int) -> Int32) -> Int32 {
        let place = descend(to: index, adding: 0)
        let piece = pieces[place.slot]
        if let touch = piece.touch { return touch }
        let before = piece.before + place.offset
        let touch = makeTouch(before)
        let (head, tail) = (place.offset, piece.length - place.offset - 1)
        open(min(head, 1) + min(tail, 1), at: place)
        var slot = place.slot
        if head > 0 {
            pieces[slot] = piece.prefix(head)
            slot += 1
        }
        pieces[slot] = Piece(touch: touch, before: before)
        if tail > 0 { pieces[slot + 1] = piece.suffix(from: head + 1) }
        return touch
    }

    /// Calls `body` with every piece, in the order of the rows, and frees them: the table is then one run.
    mutating func drainPieces(_ body: (Piece) -> Void) {
        visit(root, level: height, body)
        if height > 0 { self = PieceTable(count: count) }
    }

    private func visit(_ node: Int, level: Int, _ body: (Piece) -> Void) {
        if level == 0 {
            let first = node * Self.leafCapacity
            for slot in first..<first + pieceCounts[node] { body(pieces[slot]) }
        } else {
            let first = node * Self.branchCapacity
            for slot in first..<first + childCounts[node] { visit(children[slot], level: level - 1, body) }
        }
    }
}
