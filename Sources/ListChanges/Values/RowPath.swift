/// A position in a list on screen: a section and a row in it, both counted from 0.
///
/// A path has a meaning only together with a snapshot: the change-set's `before` or its `after`.
public struct RowPath: Hashable, Sendable {
    /// The section, counted from 0.
    public var section: Int
    /// The row in its section, counted from 0.
    public var row: Int

    /// Creates a position; neither number is checked.
    /// - Parameters:
    ///   - section: the section, counted from 0.
    ///   - row: the row, counted in its section.
    public init(section: Int, row: Int) {
        self.section = section
        self.row = row
    }
}

extension RowPath: Comparable {
    public static func < (a: RowPath, b: RowPath) -> Bool {
        a.section != b.section ? a.section < b.section : a.row < b.row
    }
}

extension RowPath: CustomStringConvertible {
    /// `[section,row]`
    public var description: String { "[\(section),\(row)]" }
}
