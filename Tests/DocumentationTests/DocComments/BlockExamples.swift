import Foundation
import YapDatabase

/// The examples in the comments of the members of the blocks of views.
private struct BlockExamples {
    struct Book {
        var title: String
        var genre: String
        var isInStock: Bool
    }

    func filteringWithKeyBlock() {
        let filtering = YapDatabaseViewFiltering.withKeyBlock { transaction, group, collection, key in
            key.hasPrefix("a")
        }
        _ = filtering
    }

    func filteringWithObjectBlock() {
        let filtering = YapDatabaseViewFiltering.withObjectBlock { transaction, group, collection, key, object in
            (object as? Book)?.isInStock == true
        }
        _ = filtering
    }

    func filteringWithMetadataBlock() {
        let filtering = YapDatabaseViewFiltering.withMetadataBlock { transaction, group, collection, key, metadata in
            metadata is Date
        }
        _ = filtering
    }

    func filteringWithRowBlock() {
        let filtering = YapDatabaseViewFiltering.withRowBlock { transaction, group, collection, key, object, metadata in
            object is Book && metadata is Date
        }
        _ = filtering
    }

    func filteringWithOptions() throws {
        let filtering = YapDatabaseViewFiltering.withOptions(
            .ifMetadataTouched,
            keyBlock: { transaction, group, collection, key in
                try transaction.hasObject(forKey: key, inCollection: "favourites")
            })
        _ = filtering
    }

    func groupingWithKeyBlock() {
        let grouping = YapDatabaseViewGrouping.withKeyBlock { transaction, collection, key in collection }
        _ = grouping
    }

    func groupingWithObjectBlock() {
        let grouping = YapDatabaseViewGrouping.withObjectBlock { transaction, collection, key, object in
            (object as? Book)?.genre
        }
        _ = grouping
    }

    func groupingWithMetadataBlock() {
        let grouping = YapDatabaseViewGrouping.withMetadataBlock { transaction, collection, key, metadata in
            metadata == nil ? nil : "dated"
        }
        _ = grouping
    }

    func groupingWithRowBlock() {
        let grouping = YapDatabaseViewGrouping.withRowBlock { transaction, collection, key, object, metadata in
            metadata is Date ? (object as? Book)?.genre : nil
        }
        _ = grouping
    }

    func groupingWithOptions() throws {
        // Asked again whenever the object changes, though the block sees only the key.
        let grouping = YapDatabaseViewGrouping.withOptions(
            .ifObjectModified,
            keyBlock: { transaction, collection, key in
                try transaction.hasObject(forKey: key, inCollection: "favourites") ? "favourites" : "others"
            })
        _ = grouping
    }

    func sortingWithKeyBlock() {
        let sorting = YapDatabaseViewSorting.withKeyBlock { _, group, _, key1, _, key2 in key1.compare(key2) }
        _ = sorting
    }

    func sortingWithObjectBlock() {
        let sorting = YapDatabaseViewSorting.withObjectBlock { _, group, _, _, object1, _, _, object2 in
            ((object1 as? Book)?.title ?? "").compare((object2 as? Book)?.title ?? "")
        }
        _ = sorting
    }

    func sortingWithMetadataBlock() {
        let sorting = YapDatabaseViewSorting.withMetadataBlock { _, group, _, _, metadata1, _, _, metadata2 in
            (metadata1 as? Date ?? .distantPast).compare(metadata2 as? Date ?? .distantPast)
        }
        _ = sorting
    }

    func sortingWithRowBlock() {
        let sorting = YapDatabaseViewSorting.withRowBlock {
            _, group, _, key1, object1, date1, _, key2, object2, date2 in
            let order = (date1 as? Date ?? .distantPast).compare(date2 as? Date ?? .distantPast)
            return order == .orderedSame ? key1.compare(key2) : order
        }
        _ = sorting
    }

    func sortingWithOptions() {
        let sorting = YapDatabaseViewSorting.withOptions(
            .any, keyBlock: { _, group, _, key1, _, key2 in key1.compare(key2) })
        _ = sorting
    }
}
