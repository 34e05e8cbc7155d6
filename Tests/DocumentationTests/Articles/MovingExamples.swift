import Foundation
import YapDatabase

/// The examples of the articles about moving from the original and from other libraries, and of `docs/original-names.md`.
private struct MovingExamples {
    struct Book: Codable, Sendable, Identifiable {
        var id: String
        var title: String
        var genre: String
        var year: Int
    }
    let books = YapCollection("books", of: Book.self)
    let database: YapDatabase

    // MARK: The original

    func view() throws {
        let view = YapDatabaseAutoView(
            grouping: .withObjectBlock { _, _, _, object in (object as? Book)?.genre },
            sorting: .withObjectBlock { _, _, _, _, a, _, _, b in (a as! Book).title.compare((b as! Book).title) },
            versionTag: "1")
        try database.register(view, withName: "order")
    }

    func changes() throws {
        let connection = try database.newConnection()
        try connection.beginLongLivedReadTransaction()
        let mappings = YapDatabaseViewMappings(groups: ["fantasy", "sci-fi"], view: "order")
        mappings.setIsDynamicSection(true, forGroup: "fantasy")  // no section while it is empty
        let newest = YapDatabaseViewRangeOptions.flexibleRange(withLength: 50, offset: 0, from: .end)
        newest.maxLength = 300
        mappings.setRangeOptions(newest, forGroup: "sci-fi")  // the last 50, growing as rows are added
        try connection.read { try mappings.update(with: $0) }

        // For each Notification.Name.YapDatabaseModified (posted on the main queue):
        let notifications = try connection.beginLongLivedReadTransaction()  // jump to the newest commit
        let order = connection.ext("order") as! YapDatabaseViewConnection
        let (sections, rows) = try order.getChanges(forNotifications: notifications, withMappings: mappings)
        _ = (sections, rows)
    }

    func index(_ connection: YapDatabaseConnection) throws {
        let setup = YapDatabaseSecondaryIndexSetup()
        setup.addColumn("year", with: .integer)
        let handler = YapDatabaseSecondaryIndexHandler.withObjectBlock { _, dict, _, _, object in
            dict["year"] = (object as? Book)?.year
        }
        try database.register(
            YapDatabaseSecondaryIndex(setup: setup, handler: handler, versionTag: "1"), withName: "years")
        try connection.read { transaction in
            let years = transaction.ext("years") as! YapDatabaseSecondaryIndexTransaction
            let query = YapDatabaseQuery(string: "WHERE year >= ? ORDER BY year", parameters: [1965])
            try years.iterateKeysAndObjects(matching: query) { collection, key, object, stop in }
        }
    }

    func typed(_ connection: YapDatabaseConnection) async throws {
        let books = YapCollection("books", of: Book.self)
        let order = YapList("order", of: books, groupedBy: \.genre, sortedBy: .ascending(\.title))
        try await database.register(order)
        for try await update in connection.updates(of: order, .last(50, groups: ["fantasy", "sci-fi"])) {
            print(update.rows.map(\.title), update.outcome)
        }
    }

    // MARK: GRDB and fetched results controllers

    func store(_ connection: YapDatabaseConnection, _ book: Book) async throws {
        try await connection.readWrite { transaction in
            try transaction[books].save(book)
        }
    }

    func follow(_ connection: YapDatabaseConnection) async throws {
        let titles = YapList("titles", of: books, sortedBy: .ascending(\.title))
        try await database.register(titles)
        for try await update in connection.updates(of: titles) {
            print(update.rows.map(\.title))
        }
    }

    func animate(_ connection: YapDatabaseConnection, _ titles: YapList<Book, String, Never>) async throws {
        func apply(_ changes: ChangeSet) { print(changes) }
        for try await update in connection.updates(of: titles) {
            if case .changes(let changes) = update.outcome { apply(changes) }
        }
    }

    func sections(_ connection: YapDatabaseConnection) async throws {
        let order = YapList("order", of: books, groupedBy: \.genre, sortedBy: .ascending(\.title))
        try await database.register(order)
        for try await update in connection.updates(of: order) {
            for section in update.sections { print(section.group, section.rows.count) }
        }
    }

    func newest(_ connection: YapDatabaseConnection) async throws {
        let newest = YapList("newest", of: books, sortedBy: .ascending(\.year))
        try await database.register(newest)
        for try await update in connection.updates(of: newest, .last(50)) {
            print(update.rows.map(\.title))
        }
    }

    @MainActor func model(_ order: YapList<Book, String, Never>) async throws {
        let model = try YapListModel(order, in: database)
        print(model.sections.count, model.sections.first?.count ?? 0)
        print(model.sections.first?.group ?? "", model[0, 0]?.title ?? "")
        try await model.follow()
    }

    func find(_ connection: YapDatabaseConnection, _ order: YapList<Book, String, Never>) async throws {
        let place = try await connection.read { transaction in try transaction[order].place(of: "dune") }
        print(place?.group ?? "", place?.index ?? 0)
    }

    func filter(_ connection: YapDatabaseConnection, _ order: YapList<Book, String, Never>, before year: Int)
        async throws
    {
        let shown = YapList("shown", filtering: order, where: \.year < 2000)
        try await database.register(shown)

        try await connection.readWrite { transaction in
            try transaction[shown].setFilter(\.year < year)
        }
    }
}
