/// A stretch of a group during the replay of its log: a run of untouched rows in their old order, or one touched row.
struct Piece {
    /// The number of rows.
    let length: Int
    /// For a run, the index of its first row before the log. For a touched row, the complement of its index among the touches.
    let source: Int

    @inline(__always)
    init(length: Int, source: Int) {
        self.length = length
        self.source = source
    }

    @inline(__always)
    init(run before: Int, length: Int) { self.init(length: length, source: before) }

    @inline(__always)
    init(touch: Int32) { self.init(length: 1, source: ~Int(touch)) }

    /// The index among the touches; nil for a run.
    @inline(__always)
    var touch: Int32? { source < 0 ? Int32(truncatingIfNeeded: ~source) : nil }

    @inline(__always)
    func prefix(_ length: Int) -> Piece { Piece(run: source, length: length) }

    @inline(__always)
    func suffix(from offset: Int) -> Piece { Piece(run: source + offset, length: length - offset) }
}
