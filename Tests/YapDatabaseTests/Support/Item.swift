import Foundation
import ListChanges
import Testing

@testable import YapDatabase

/// The row of most view tests: grouped by `group` (nil: not in the view), sorted by `sort`, then key, then collection.
struct Item: Codable, Hashable, Sendable {
    var group: String?
    var sort: Int
    var text: String

    static func view(
        tag: String = "1", persistent: Bool = true, onBlock: @escaping @Sendable () -> Void = {}
    ) -> YapDatabaseAutoView {
        let options = YapDatabaseViewOptions()
        options.isPersistent = persistent
        return YapDatabaseAutoView(
            grouping: .withObjectBlock { _, _, _, object in
                onBlock()
                return (object as? Item)?.group
            },
            sorting: .withObjectBlock { _, _, collection1, key1, object1, collection2, key2, object2 in
                onBlock()
                let a = ((object1 as! Item).sort, key1, collection1)
                let b = ((object2 as! Item).sort, key2, collection2)
                return a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
            },
            versionTag: tag, options: options)
    }
}

extension YapDatabase {
    /// The collections that hold items in the tests.
    func registerItems() {
        for collection in ["c", "d"] { registerCodableSerialization(Item.self, forCollection: collection) }
    }
}
