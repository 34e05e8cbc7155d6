import Foundation
import YapDatabase

/// The examples in the doc comments of connections and views.
private struct ViewExamples {
    struct Book: Codable {
        var title: String
        var genre: String
        var isInStock: Bool
    }
    struct Movie: Codable {
        var year: Int
    }
    let database: YapDatabase
    let connection: YapDatabaseConnection
    let grouping: YapDatabaseViewGrouping
    let sorting: YapDatabaseViewSorting
    let filtering: YapDatabaseViewFiltering

    func open(_ url: URL) throws {
        let database = try YapDatabase(url: url)
        let connection = try database.newConnection()
        try connection.readWrite { try $0.setObject("hello", forKey: "greeting") }
    }

    func jump(_ view: YapDatabaseViewConnection, _ mappings: YapDatabaseViewMappings) throws {
        let commits = try connection.jump()
        let outcome = try view.outcome(for: commits, with: mappings)
        _ = outcome
    }

    func pool(_ pool: YapDatabaseConnectionPool) throws {
        let connection = try pool.connection()
        connection.asyncRead { transaction in try print(transaction.numberOfCollections()) }
    }

    func proxy() throws {
        let proxy = try YapDatabaseConnectionProxy(database: database)
        proxy.setObject("hello", forKey: "greeting")
        let greeting = try proxy.object(forKey: "greeting")  // "hello", though it is not in the file yet
        _ = greeting
    }

    func view() throws {
        let view = YapDatabaseAutoView(grouping: grouping, sorting: sorting, versionTag: "2019-05-20")
        try database.register(view, withName: "order")
    }

    func blocks() {
        let grouping = YapDatabaseViewGrouping.withObjectBlock { transaction, collection, key, object in
            (object as? Book)?.genre  // nil: not in the view
        }
        let sorting = YapDatabaseViewSorting.withObjectBlock { _, group, _, key1, object1, _, key2, object2 in
            (object1 as! Book).title.compare((object2 as! Book).title)
        }
        let filtering = YapDatabaseViewFiltering.withObjectBlock { transaction, group, collection, key, object in
            (object as? Book)?.isInStock == true
        }
        let find = YapDatabaseViewFind.withObjectBlock { _, _, object in
            let year = (object as! Movie).year
            return year < 1990 ? .orderedAscending : year > 1999 ? .orderedDescending : .orderedSame
        }
        _ = (grouping, sorting, filtering, find)
    }

    func filtered() throws {
        let filtered = YapDatabaseFilteredView(parentViewName: "order", filtering: filtering, versionTag: "1")
        try database.register(filtered, withName: "inStock")
    }

    func manual() throws {
        try database.register(YapDatabaseManualView(versionTag: "1"), withName: "playlist")
        try connection.readWrite { transaction in
            let playlist = transaction.ext("playlist") as? YapDatabaseManualViewTransaction
            try playlist?.addKey("song-7", inCollection: "songs", toGroup: "evening")
        }
    }

    func read() throws {
        try connection.read { transaction in
            // Nil if the view is not registered yet.
            guard let view = transaction.ext("order") as? YapDatabaseViewTransaction else { return }
            print(try view.object(at: 0, inGroup: "books") ?? "none")
        }
    }

    func coordinator() throws {
        func animate(_ changes: ChangeSet, of list: YapDatabaseViewMappings) { print(list.view, changes.rowChanges) }
        func reload(_ list: YapDatabaseViewMappings) { print(list.view) }
        let coordinator = try YapDatabaseViewCoordinator(connection: connection)
        let roster = YapDatabaseViewMappings(groups: ["available", "away"], view: "roster")
        try coordinator.follow(roster)
        // after each commit, for example in: for await _ in database.commits
        for (list, outcome) in try coordinator.advance() {
            switch outcome {
            case .none: break
            case .changes(let changes): animate(changes, of: list)
            case .reload: reload(list)
            }
        }
    }

    func mappings(conversation: String) throws {
        let mappings = YapDatabaseViewMappings(groups: ["available", "away", "offline"], view: "roster")
        mappings.setIsDynamicSection(true, forGroup: "available")
        try connection.read { try mappings.update(with: $0) }

        let newest = YapDatabaseViewRangeOptions.flexibleRange(withLength: 50, offset: 0, from: .end)
        newest.maxLength = 300
        newest.minLength = 20
        mappings.setRangeOptions(newest, forGroup: conversation)
    }
}
