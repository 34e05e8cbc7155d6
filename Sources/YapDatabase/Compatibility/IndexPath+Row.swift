import Foundation
import ListChanges

#if !canImport(UIKit) && !canImport(AppKit)
/// The part of UIKit's `IndexPath` that other platforms lack.
extension IndexPath {
    /// Creates the path of a row.
    public init(row: Int, section: Int) { self = [section, row] }

    /// The section.
    public var section: Int { self[0] }
    /// The number of the row in its section.
    public var row: Int { self[1] }
}
#endif

extension IndexPath {
    /// Creates the path of a row from its position.
    public init(_ path: RowPath) { self.init(row: path.row, section: path.section) }
}

extension RowPath {
    /// Creates a position from a path of two indexes: section and row.
    public init(_ indexPath: IndexPath) { self.init(section: indexPath.section, row: indexPath.row) }
}
