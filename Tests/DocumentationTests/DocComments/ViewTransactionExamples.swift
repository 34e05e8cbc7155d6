import Foundation
import YapDatabase

/// The examples in the comments of the members of a transaction's access to views.
private struct ViewTransactionExamples {
    struct Book {
        var title: String
        var isInStock: Bool
    }
    struct Movie {
        var year: Int
    }
    let connection: YapDatabaseConnection
    let view: YapDatabaseViewTransaction
    let autoView: YapDatabaseAutoViewTransaction
    let filteredView: YapDatabaseFilteredViewTransaction
    let playlist: YapDatabaseManualViewTransaction
    let results: YapDatabaseSearchResultsViewTransaction
    let mappings: YapDatabaseViewMappings
    let grouping: YapDatabaseViewGrouping
    let sorting: YapDatabaseViewSorting

    func setFiltering() throws {
        let inStock = YapDatabaseViewFiltering.withObjectBlock { _, _, _, _, object in
            (object as? Book)?.isInStock == true
        }
        try filteredView.setFiltering(inStock, versionTag: "in stock")
        _ = inStock
    }

    func addKey() throws {
        try playlist.addKey("song-7", inCollection: "songs", toGroup: "evening")
        try playlist.insertKey("song-1", inCollection: "songs", at: 0, inGroup: "evening")
    }

    func removeItem() throws {
        try playlist.removeItem(at: 0, inGroup: "evening")
        try playlist.removeKey("song-7", inCollection: "songs", fromGroup: "evening")
        try playlist.removeAllItems(inGroup: "evening")
    }

    func performSearch() throws {
        try results.performSearch(for: "dun*")
        print(results.query(), results.numberOfItemsInAllGroups())
    }

    func snippet() throws {
        try results.performSearch(for: "spice")
        let snippet = try results.snippet(forKey: "dune", inCollection: "books")  // "... the <b>spice</b> ..."
        _ = snippet
    }

    func rowKey() throws {
        let key = try view.rowKey(at: RowPath(section: 0, row: 0), with: mappings)
        _ = key
    }

    func object() throws {
        let book = try view.object(at: RowPath(section: 0, row: 0), with: mappings) as? Book
        _ = book
    }

    func metadata() throws {
        let date = try view.metadata(at: RowPath(section: 0, row: 0), with: mappings) as? Date
        _ = date
    }

    func path() throws {
        if let path = try view.path(of: RowKey(collection: "books", key: "dune"), with: mappings) {
            print(path.section, path.row)
        }
    }

    func findRange() throws {
        let nineties = YapDatabaseViewFind.withObjectBlock { _, _, object in
            let year = (object as! Movie).year
            return year < 1990 ? .orderedAscending : year > 1999 ? .orderedDescending : .orderedSame
        }
        let range = try autoView.findRange(inGroup: "movies", using: nineties)  // such as 120..<180
        _ = (nineties, range)
    }

    func findFirstMatch() throws {
        let year1990 = YapDatabaseViewFind.withObjectBlock { _, _, object in
            let year = (object as! Movie).year
            return year < 1990 ? .orderedAscending : year > 1990 ? .orderedDescending : .orderedSame
        }
        let index = try autoView.findFirstMatch(inGroup: "movies", using: year1990)
        _ = (year1990, index)
    }

    func setGrouping() throws {
        try autoView.setGrouping(grouping, sorting: sorting, versionTag: "by genre")
    }

    func setSorting() throws {
        let byTitle = YapDatabaseViewSorting.withObjectBlock { _, _, _, _, object1, _, _, object2 in
            ((object1 as? Book)?.title ?? "").compare((object2 as? Book)?.title ?? "")
        }
        try autoView.setSorting(byTitle, versionTag: "by title")
        _ = byTitle
    }

    func previousVersionTag() throws {
        let tag = try YapDatabaseView.previousVersionTag(forRegisteredViewName: "order", with: connection)
        _ = tag
    }

    func iterateKeys() throws {
        try view.iterateKeys(inGroup: "sci-fi", range: 0..<10) { collection, key, index, stop in print(index, key) }
    }

    func iterateKeysAndObjects() throws {
        try view.iterateKeysAndObjects(inGroup: "sci-fi", reversed: true) { collection, key, object, index, stop in
            print(index, (object as? Book)?.title ?? "")
            stop = index == 10
        }
    }

    func iterateKeysAndMetadata() throws {
        try view.iterateKeysAndMetadata(inGroup: "sci-fi") { collection, key, metadata, index, stop in
            print(key, metadata ?? "none")
        }
    }

    func iterateRows() throws {
        try view.iterateRows(inGroup: "sci-fi") { collection, key, object, metadata, index, stop in
            print(key, object, metadata ?? "none")
        }
    }

    func hasGroup() {
        print(view.hasGroup("sci-fi"), view.isEmptyGroup("romance"))  // true true
    }

    func numberOfItems() {
        print(view.numberOfItems(inGroup: "sci-fi"), view.numberOfItemsInAllGroups())
    }

    func enumerateGroups() {
        view.enumerateGroups { group, stop in print(group, view.numberOfItems(inGroup: group)) }
    }

    func rowKey2() throws {
        let key = try view.rowKey(at: 0, inGroup: "sci-fi")
        _ = key
    }

    func getGroupIndex() throws {
        if let (group, index) = try view.getGroupIndex(forKey: "dune", inCollection: "books") { print(group, index) }
    }

    func group() throws {
        let group = try view.group(forKey: "dune", inCollection: "books")  // "sci-fi"
        _ = group
    }

    func object2() throws {
        let first = try view.object(at: 0, inGroup: "sci-fi") as? Book
        let last = try view.lastObject(inGroup: "sci-fi") as? Book
        _ = (first, last)
    }

    func touchRow() throws {
        // The cell shows a picture that has just been loaded.
        try view.touchRow(forKey: "dune", inCollection: "books")
    }

    func versionTag() {
        if view.versionTag() != "2019-05-20" { print("filled with other blocks") }
    }

    func setGrouping2() throws {
        try view.setGrouping(grouping, sorting: sorting, versionTag: "by genre")
    }
}
