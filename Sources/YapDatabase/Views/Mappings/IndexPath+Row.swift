import Foundation
import ListChanges

#if !canImport(UIKit) && !canImport(AppKit)
/// The part of UIKit's `IndexPath` that other platforms lack.
extension IndexPath {
    public init(row: Int, section: Int) { self = [section, row] }

    public var section: Int { self[0] }
    public var row: Int { self[1] }
}
#endif

extension IndexPath {
    public init(_ path: RowPath) { self.init(row: path.row, section: path.section) }
}

extension RowPath {
    public init(_ indexPath: IndexPath) { self.init(section: indexPath.section, row: indexPath.row) }
}
