import Foundation
import ListChanges
import Testing
import YapDatabase

// The code samples of the documents that define the product, as they stand there, with `try` where ours throws. A table
// view of a few lines takes the part of UIKit's.

private struct Book: Codable, Sendable {
    var title: String
    var author = ""
    var salesRank = 0

    func compareBookByTitleThenAuthor(_ other: Book) -> ComparisonResult {
        let order = title.compare(other.title)
        return order == .orderedSame ? author.compare(other.author) : order
    }
}

private struct Magazine: Codable, Sendable {
    var title: String
    var month: Int

    func compareMagazineByMonthThenTitle(_ other: Magazine) -> ComparisonResult {
        month == other.month ? title.compare(other.title) : month < other.month ? .orderedAscending : .orderedDescending
    }
}

private struct Movie: Codable, Sendable {
    var title: String
    var year: Int
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

@Suite struct WikiSampleTests {
    // MARK: Views

    private func makeOrderView(versionTag: String = "2019-05-20") -> YapDatabaseAutoView {
        let grouping = YapDatabaseViewGrouping.withObjectBlock {
            (transaction, collection, key, obj) -> String? in

            if let _ = obj as? Book {
                return "books"
            }
            if let _ = obj as? Magazine {
                return "magazines"
            }

            return nil  // exclude from view
        }

        let sorting = YapDatabaseViewSorting.withObjectBlock {
            (transaction, group, collection1, key1, obj1, collection2, key2, obj2) -> ComparisonResult in

            if group == "books" {
                let book1 = obj1 as! Book
                let book2 = obj2 as! Book
                return book1.compareBookByTitleThenAuthor(book2)
            } else {
                let mag1 = obj1 as! Magazine
                let mag2 = obj2 as! Magazine
                return mag1.compareMagazineByMonthThenTitle(mag2)
            }
        }

        let options = YapDatabaseViewOptions()
        let whitelist = Set(["fiction", "gossip"])
        options.allowedCollections = YapWhitelistBlacklist(whitelist: whitelist)

        return YapDatabaseAutoView(grouping: grouping, sorting: sorting, versionTag: versionTag, options: options)
    }

    @Test func aViewIsMadeRegisteredAndRead() throws {
        try withBooks { database in
            let view = makeOrderView()
            let extName = "order"
            let isDone = DispatchSemaphore(value: 0)
            database.asyncRegister(view, withName: extName, completionQueue: .global()) { (ready) in
                if !ready {
                    print("Error registering \(extName) !!!")
                }
                isDone.signal()
            }
            try isDone.wait(for: "The registration")

            let dbConnection = try database.newConnection()
            try dbConnection.readWrite { (transaction) in
                try transaction.setObject(Book(title: "Dune"), forKey: "key24", inCollection: "fiction")
                try transaction.setObject(Book(title: "Emma"), forKey: "key7", inCollection: "fiction")
                try transaction.setObject(Magazine(title: "Hello", month: 3), forKey: "key60", inCollection: "gossip")
                try transaction.setObject(Book(title: "Not allowed"), forKey: "key1", inCollection: "other")
            }

            var book: Book?
            let indexPath = IndexPath(row: 1, section: 0)
            try dbConnection.read { (transaction) in
                if let viewTransaction = transaction.ext("order") as? YapDatabaseViewTransaction {
                    book = try viewTransaction.object(atIndex: indexPath.row, inGroup: "books") as? Book

                    #expect(viewTransaction.numberOfGroups() == 2)
                    #expect(viewTransaction.allGroups() == ["books", "magazines"])
                    #expect(viewTransaction.hasGroup("books"))
                    #expect(viewTransaction.numberOfItems(inGroup: "books") == 2)
                    #expect(viewTransaction.numberOfItemsInAllGroups() == 3)
                    #expect(
                        try viewTransaction.getCollectionKey(atIndex: 0, inGroup: "magazines")! == ("gossip", "key60"))
                    #expect(try viewTransaction.getGroupIndex(forKey: "key7", inCollection: "fiction")! == ("books", 1))
                    #expect(try viewTransaction.object(at: UInt(0), inGroup: "books") is Book)
                    try viewTransaction.iterateKeys(inGroup: "books") { (collection, key, index, stop) in
                        #expect(collection == "fiction")
                        stop = index == 0
                    }
                }
            }
            #expect(book?.title == "Emma")

            try dbConnection.readWrite { (transaction) in
                if let viewTransaction = transaction.ext("order") as? YapDatabaseViewTransaction {
                    let newView = makeOrderView()
                    try viewTransaction.setGrouping(newView.grouping, sorting: newView.sorting, versionTag: "5-en")
                    #expect(viewTransaction.versionTag() == "5-en")
                }
            }
        }
    }

    @Test func aViewIsFoundByItsBaseClass() throws {
        try withBooks { database in
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
        try withBooks { database in
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

    // MARK: Mappings

    @Test func mappingsAreGlueBetweenAViewAndATable() throws {
        try withBond { database, dbConnection in
            let groups = ["bond movies", "bond actors"]
            let mappings = YapDatabaseViewMappings(groups: groups, view: "myView")
            mappings.setIsReversed(true, forGroup: "bond movies")  // Boom
            try dbConnection.read { (transaction) in
                try mappings.update(with: transaction)
                if let viewTransaction = transaction.ext("myView") as? YapDatabaseViewTransaction {
                    let goldeneye = try viewTransaction.object(atRow: 0, inSection: 0, withMappings: mappings) as? Movie
                    #expect(goldeneye?.title == "GoldenEye")
                    let obj = try viewTransaction.object(at: IndexPath(row: 1, section: 0), with: mappings)
                    #expect((obj as? Movie)?.title == "Goldfinger")
                    let key = try viewTransaction.getCollectionKey(forRow: 0, section: 0, withMappings: mappings)
                    #expect(key?.1 == "xyz123")
                    let same = try viewTransaction.getCollectionKey(
                        atIndexPath: IndexPath(row: 0, section: 0), withMappings: mappings)
                    #expect(same?.1 == "xyz123")
                }
            }
            #expect(Int(mappings.numberOfSections()) == 2)
            let section = 0
            #expect(Int(mappings.numberOfItems(inSection: UInt(section))) == 2)
        }
    }

    @Test func groupsThatAreNotKnownAheadAreFilteredAndSorted() throws {
        try withBond { database, dbConnection in
            let filtering: YapDatabaseViewMappingGroupFilter = { (group, transaction) in
                return group.hasPrefix("bond")
            }
            let sorting: YapDatabaseViewMappingGroupSort = { (group1, group2, transaction) in
                return group1.compare(group2)
            }
            let mappings = YapDatabaseViewMappings(groupFilterBlock: filtering, sortBlock: sorting, view: "myView")
            try dbConnection.read { try mappings.update(with: $0) }
            #expect(mappings.visibleGroups() == ["bond movies"])
        }
    }

    @MainActor @Test func aControllerFollowsTheDatabase() async throws {
        try await withTemporaryDatabase { database in
            try Self.fillBond(database)
            let controller = try JamesBondViewController(dbConnection: database.newConnection())
            try controller.viewDidLoad()
            #expect(controller.tableView.rows == [["Goldfinger", "GoldenEye"], []])

            try await database.newConnection().readWrite { (transaction) in
                let movie = Movie(title: "Dr. No", year: 1962)
                try transaction.setObject(movie, forKey: "drno", inCollection: "movies")
                try transaction.removeObject(forKey: "xyz123", inCollection: "movies")
            }
            // The commit went to the main queue before.
            await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
            #expect(controller.tableView.rows == [["Dr. No", "Goldfinger"], []])
            NotificationCenter.default.removeObserver(controller.token as Any)
        }
    }

    // MARK: Options

    @Test func dynamicSectionsVanishWhenEmpty() {
        let groups = ["available", "away", "offline"]
        let mappings: YapDatabaseViewMappings? = YapDatabaseViewMappings(groups: groups, view: "roster")

        mappings?.setIsDynamicSection(true, forGroup: "available")
        mappings?.setIsDynamicSection(true, forGroup: "away")
        mappings?.setIsDynamicSection(false, forGroup: "offline")
        #expect(mappings?.isDynamicSection(forGroup: "away") == true)
    }

    @Test func rangesAndReversalInEitherOrderMeanTheSame() throws {
        try withBooks { database in
            for collection in ["books"] { database.registerCodableSerialization(Book.self, forCollection: collection) }
            let view = YapDatabaseAutoView(
                grouping: .withKeyBlock { _, _, _ in "books" },
                sorting: .withObjectBlock { _, _, _, _, a, _, _, b in
                    let (a, b) = ((a as! Book).salesRank, (b as! Book).salesRank)
                    return a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
                })
            try database.register(view, withName: "SalesRank")
            let connection = try database.newConnection()
            try connection.readWrite { transaction in
                for rank in 1...100 {
                    try transaction.setObject(
                        Book(title: "book \(rank)", salesRank: rank), forKey: "\(rank)", inCollection: "books")
                }
            }
            let groups = ["books"]
            let first: YapDatabaseViewMappings? = YapDatabaseViewMappings(groups: groups, view: "SalesRank")
            let rangeOptions = YapDatabaseViewRangeOptions.fixedRange(withLength: 20, offset: 0, from: .end)
            first?.setRangeOptions(rangeOptions, forGroup: "books")  // <- 1st
            first?.setIsReversed(true, forGroup: "books")  // <- 2nd

            let second: YapDatabaseViewMappings? = YapDatabaseViewMappings(groups: groups, view: "SalesRank")
            second?.setIsReversed(true, forGroup: "books")  // <- 1st
            let otherOptions = YapDatabaseViewRangeOptions.fixedRange(withLength: 20, offset: 0, from: .beginning)
            second?.setRangeOptions(otherOptions, forGroup: "books")  // <- 2nd

            for mappings in [first, second] {
                let titles = try connection.read { transaction in
                    try mappings?.update(with: transaction)
                    let view = transaction.ext("SalesRank") as! YapDatabaseViewTransaction
                    return try (0..<20).map { row in
                        try (view.object(atRow: row, inSection: 0, withMappings: mappings!) as! Book).salesRank
                    }
                }
                #expect(titles == Array((81...100).reversed()))
            }
        }
    }

    @Test func aFlexibleRangeLikeTheMessagesApp() throws {
        let conversationId = "c1"
        let mappings: YapDatabaseViewMappings? = YapDatabaseViewMappings(groups: [conversationId], view: "messages")
        let rangeOptions = YapDatabaseViewRangeOptions.flexibleRange(withLength: 50, offset: 0, from: .end)
        rangeOptions.maxLength = 300
        rangeOptions.minLength = 20
        mappings?.setRangeOptions(rangeOptions, forGroup: conversationId)
        mappings?.setCellDrawingDependencyForNeighboringCellWithOffset(-1, forGroup: conversationId)
        #expect(mappings?.rangeOptions(forGroup: conversationId)?.maxLength == 300)
        #expect(mappings?.cellDrawingDependencyOffsets(forGroup: conversationId) == [-1])
    }

    // MARK: Support

    private func withBooks(_ body: (YapDatabase) throws -> Void) throws {
        try withTemporaryDatabase { database in
            for collection in ["fiction", "other"] {
                database.registerCodableSerialization(Book.self, forCollection: collection)
            }
            database.registerCodableSerialization(Magazine.self, forCollection: "gossip")
            try body(database)
        }
    }

    private func withBond(_ body: (YapDatabase, YapDatabaseConnection) throws -> Void) throws {
        try withBooks { database in
            try Self.fillBond(database)
            try body(database, database.newConnection())
        }
    }

    fileprivate static func fillBond(_ database: YapDatabase) throws {
        database.registerCodableSerialization(Movie.self, forCollection: "movies")
        let view = YapDatabaseAutoView(
            grouping: .withObjectBlock { _, _, _, obj in
                guard let movie = obj as? Movie else { return nil }
                return movie.title == "Pretty In Pink" ? "80s movies" : "bond movies"
            },
            sorting: .withObjectBlock { _, _, _, _, obj1, _, _, obj2 in
                let (a, b) = ((obj1 as! Movie).year, (obj2 as! Movie).year)
                return a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
            })
        try database.register(view, withName: "myView")
        try database.newConnection().readWrite { transaction in
            for (key, movie) in [
                ("abc123", Movie(title: "Goldfinger", year: 1964)),
                ("def456", Movie(title: "Pretty In Pink", year: 1986)),
                ("xyz123", Movie(title: "GoldenEye", year: 1995)),
            ] { try transaction.setObject(movie, forKey: key, inCollection: "movies") }
        }
    }
}

/// What UIKit's table view does with a change-set, on rows that are their titles.
@MainActor private final class PlainTableView {
    var rows: [[String]] = []
    private var deletes: [IndexPath] = []
    private var inserts: [IndexPath] = []

    func beginUpdates() {
        deletes = []
        inserts = []
    }
    func deleteRows(at paths: [IndexPath]) { deletes += paths }
    func insertRows(at paths: [IndexPath]) { inserts += paths }
    func moveRow(at path: IndexPath, to newPath: IndexPath) {
        deletes.append(path)
        inserts.append(newPath)
    }
    func endUpdates(title: (IndexPath) -> String) {
        for path in deletes.sorted().reversed() { rows[path.section].remove(at: path.row) }
        for path in inserts.sorted() { rows[path.section].insert(title(path), at: path.row) }
    }
}

@MainActor private final class JamesBondViewController {
    let dbConnection: YapDatabaseConnection
    var mappings: YapDatabaseViewMappings?
    let tableView = PlainTableView()
    var token: (any NSObjectProtocol)?

    init(dbConnection: YapDatabaseConnection) {
        self.dbConnection = dbConnection
    }

    func viewDidLoad() throws {
        try dbConnection.beginLongLivedReadTransaction()
        try initializeMappings()
        tableView.rows = (0..<mappings!.numberOfSections()).map { section in
            (0..<mappings!.numberOfItems(inSection: section)).map { title(IndexPath(row: $0, section: section)) }
        }
        let nc = NotificationCenter.default
        token = nc.addObserver(
            forName: Notification.Name.YapDatabaseModified, object: dbConnection.database, queue: nil
        ) { [weak self] _ in MainActor.assumeIsolated { try! self?.yapDatabaseModified() } }
    }

    func initializeMappings() throws {
        try dbConnection.read { (transaction) in
            guard
                let _ = transaction.ext("myView") as? YapDatabaseViewTransaction
            else {
                return
            }
            let groups = ["bond movies", "bond actors"]
            mappings = YapDatabaseViewMappings(groups: groups, view: "myView")
            try mappings?.update(with: transaction)
        }
    }

    func yapDatabaseModified() throws {
        let notifications = try dbConnection.beginLongLivedReadTransaction()

        guard let mappings = self.mappings else {
            try initializeMappings()
            return
        }
        guard let ext = dbConnection.ext("myView") as? YapDatabaseViewConnection else {
            return
        }
        let (sectionChanges, rowChanges) = try ext.getChanges(forNotifications: notifications, withMappings: mappings)

        if (sectionChanges.count == 0) && (rowChanges.count == 0) {
            return
        }

        tableView.beginUpdates()
        for change in rowChanges {
            switch change.type {
            case .delete:
                tableView.deleteRows(at: [change.indexPath!])

            case .insert:
                tableView.insertRows(at: [change.newIndexPath!])

            case .move:
                tableView.moveRow(at: change.indexPath!, to: change.newIndexPath!)

            default: break
            }
        }
        tableView.endUpdates(title: title)
    }

    private func title(_ indexPath: IndexPath) -> String {
        let movie = try! dbConnection.read { (transaction) in
            let view = transaction.ext("myView") as? YapDatabaseViewTransaction
            return try view?.object(at: indexPath, with: mappings!) as? Movie
        }
        return movie?.title ?? "?"
    }
}
