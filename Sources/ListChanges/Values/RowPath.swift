/// A position in a list on screen: a section, and a row inside it; both count from 0.
///
/// A path means something only together with a snapshot: the change-set's `before` or its `after`.
public struct RowPath: Hashable, Sendable {
    public var section: Int
    public var row: Int

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
