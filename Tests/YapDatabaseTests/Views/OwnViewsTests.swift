import Foundation
import Testing
import YapDatabase

private struct Book: Codable, Sendable {
    var title: String
    var salesRank = 0
}

/// Views of an app's own, made by initializers without parameters of the library.
private final class BooksView: YapDatabaseAutoView, @unchecked Sendable {
    init() {
        super.init(
            grouping: .withObjectBlock { _, _, _, object in object is Book ? "books" : nil },
            sorting: .withKeyBlock { _, _, _, key1, _, key2 in key1.compare(key2) }, versionTag: "1")
    }
}

private final class InStockView: YapDatabaseFilteredView, @unchecked Sendable {
    init(parent: String) {
        super.init(
            parentViewName: parent,
            filtering: .withObjectBlock { _, _, _, _, object in (object as! Book).salesRank > 0 })
    }
}

private final class PlaylistView: YapDatabaseManualView, @unchecked Sendable {
    init() { super.init(versionTag: "1") }
}

@Suite struct OwnViewsTests {
    @Test func aViewIsFoundByItsBaseClass() throws {
        try withTemporaryDatabase { database in
            let grouping = YapDatabaseViewGrouping.withKeyBlock { _, _, _ in "posts_all" }
            let sorting = YapDatabaseViewSorting.withKeyBlock { _, _, _, key1, _, key2 in key1.compare(key2) }
            let view =
                YapDatabaseAutoView(
                    grouping: grouping,
                    sorting: sorting,
                    versionTag: "theDuckSaysQuack")
            try database.register(view, withName: "all")
            #expect((database.registeredExtension("all") as? YapDatabaseView)?.options.isPersistent == true)
            try database.newConnection().read { transaction in
                let view = transaction.ext("all") as? YapDatabaseViewTransaction
                #expect(view?.versionTag() == "theDuckSaysQuack")
            }
        }
    }

    @Test func anAppHasViewsOfItsOwn() throws {
        try withTemporaryDatabase { database in
            database.registerCodableSerialization(Book.self, forCollection: "fiction")
            try database.register(BooksView(), withName: "books")
            try database.register(InStockView(parent: "books"), withName: "inStock")
            try database.register(PlaylistView(), withName: "playlist")
            #expect(database.registeredExtension("books") is BooksView)
            try database.newConnection().readWrite { transaction in
                try transaction.setObject(Book(title: "Dune", salesRank: 1), forKey: "a", inCollection: "fiction")
                try transaction.setObject(Book(title: "Emma"), forKey: "b", inCollection: "fiction")
                for (name, count) in [("books", 2), ("inStock", 1), ("playlist", 0)] {
                    let view = transaction.ext(name) as? YapDatabaseViewTransaction
                    #expect(view?.numberOfItems(inGroup: "books") == count)
                }
            }
        }
    }
}
