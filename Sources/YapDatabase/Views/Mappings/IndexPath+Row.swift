import Foundation
import ListChanges

#if !canImport(UIKit) && !canImport(AppKit)
/// The part of UIKit's `IndexPath` that other platforms lack.
extension IndexPath {
    /// Creates a path of two indexes, the section and the row.
    public init(row: Int, section: Int) { self = [section, row] }

    /// The first index.
    public var section: Int { self[0] }
    /// The second index.
    public var row: Int { self[1] }
}
#endif

extension IndexPath {
    /// Creates the path of a position on screen.
    public init(_ path: RowPath) { self.init(row: path.row, section: path.section) }
}

extension RowPath {
    /// Creates the position of a path with two indexes.
    public init(_ indexPath: IndexPath) { self.init(section: indexPath.section, row: indexPath.row) }
}
