/// A stretch of a group while its log is replayed: a run of rows that no operation touched, still in their old order,
/// or one single row that was touched.
struct Piece {
    /// The index before the log of the piece's first row; -1 of a row that the log put here.
    var before: Int
    /// The length of a run; of a touched row the complement of its place among the touches.
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

    /// What lies in the tree where no piece is.
    static let unused = Piece(run: 0, length: 0)

    /// The number of rows.
    @inline(__always)
    var length: Int { max(code, 1) }

    /// The place among the touches; nil for a run.
    @inline(__always)
    var touch: Int32? { code < 0 ? Int32(truncatingIfNeeded: ~code) : nil }

    @inline(__always)
    func prefix(_ length: Int) -> Piece { Piece(run: before, length: length) }

    @inline(__always)
    func suffix(from offset: Int) -> Piece { Piece(run: before + offset, length: length - offset) }
}
