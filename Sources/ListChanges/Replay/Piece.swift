/// A stretch of a group during the replay of its log: a run of untouched rows in their old order, or one touched row.
struct Piece {
    /// The index before the log of the piece's first row; -1 for a row that the log inserted.
    var before: Int
    /// The length of a run; for a touched row, the complement of its index among the touches.
    private var code: Int

    @inline(__always)
    init(run before: Int, length: Int) {
        self.before = before
        self.code = length
    }

    @inline(__always)
    init(touch: Int32, before: Int = -1) {
        self.before = before
        self.code = ~Int(touch)
    }

    /// Fills unused places of the tree.
    static let unused = Piece(run: 0, length: 0)

    /// The number of rows.
    @inline(__always)
    var length: Int { max(code, 1) }

    /// The index among the touches; nil for a run.
    @inline(__always)
    var touch: Int32? { code < 0 ? Int32(truncatingIfNeeded: ~code) : nil }

    @inline(__always)
    func prefix(_ length: Int) -> Piece { Piece(run: before, length: length) }

    @inline(__always)
    func suffix(from offset: Int) -> Piece { Piece(run: before + offset, length: length - offset) }
}
