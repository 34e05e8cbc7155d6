import Foundation
import Testing
import YapDatabase
import YapDatabaseExtensions

/// A block sees an item at the write as it sees it after a launch.
@Suite struct CachedItemTests {
    @Test func metadataIsNotInTheObjectOfARowWhoseBytesLackIt() throws {
        try check(Product.sample(1, content: 1, metadata: 2)) { ($0 as? ProductCoder)?.value.metadata != nil }
        try check(Letter.sample(1, content: 1, metadata: 2)) { ($0 as? Letter)?.metadata != nil }
        try check(Parcel.sample(1, content: 1, metadata: 2)) { ($0 as? Parcel)?.metadata != nil }
    }

    /// Compares the group of a row that was just written with that of the same row, read to fill the view.
    private func check<Item: Persistable>(
        _ item: Item, hasMetadata: @escaping @Sendable (Any) -> Bool
    ) throws {
        try withDatabase { database, connection throws in
            database.registerPersistable(Item.self)
            func view(_ tag: String) -> YapDatabaseAutoView {
                YapDatabaseAutoView(
                    grouping: .withObjectBlock { _, _, _, object in hasMetadata(object) ? "with" : "without" },
                    sorting: .withKeyBlock { _, _, _, a, _, b in a < b ? .orderedAscending : .orderedDescending },
                    versionTag: tag)
            }
            try database.register(view("1"), withName: "written")
            try connection.write(item)
            let other = try database.newConnection()
            try database.register(view("1"), withName: "filled")
            try other.read { transaction throws in
                let groups = ["written", "filled"].map {
                    (transaction.ext($0) as? YapDatabaseViewTransaction)?.allGroups() ?? []
                }
                #expect(groups == [["without"], ["without"]])
                // The item itself has its metadata, cached or read.
                let read: Item? = try transaction.readByKey(item.key)
                #expect(read?.metadata != nil)
            }
            let cached: Item? = try connection.readByKey(item.key)
            #expect(cached?.metadata != nil)
        }
    }
}
