/// The position of a group's window in the whole group, in screen order: a reversed group begins with its last row.
public struct RangePosition: Hashable, Sendable {
    /// The number of rows before the window.
    public var offsetFromBeginning: Int
    /// The number of rows after the window.
    public var offsetFromEnd: Int
    /// The number of rows in the window.
    public var length: Int

    /// Creates a position from its three numbers of rows.
    /// - Parameters:
    ///   - offsetFromBeginning: the rows before the window.
    ///   - offsetFromEnd: the rows after the window.
    ///   - length: the number of rows of the window.
    public init(offsetFromBeginning: Int, offsetFromEnd: Int, length: Int) {
        self.offsetFromBeginning = offsetFromBeginning
        self.offsetFromEnd = offsetFromEnd
        self.length = length
    }
}
