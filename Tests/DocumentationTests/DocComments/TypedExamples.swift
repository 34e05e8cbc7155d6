import Foundation
import YapDatabase

/// The examples in the doc comments of the typed forms.
private struct TypedExamples {
    struct Book: Codable, Sendable, Identifiable {
        var id: String
        var title: String
        var genre: String
        var price: Double
        var year: Int
        var isOwned: Bool
        var isRead = false
    }
    struct Message: Codable, Sendable, Identifiable {
        var id: String
        var author: String
        var text: String
    }
    let books = YapCollection("books", of: Book.self)
    let messages = YapCollection("messages", of: Message.self)
    let database: YapDatabase
    let connection: YapDatabaseConnection

    func collection() throws {
        struct Book: Codable, Sendable, Identifiable {
            var id: String
            var title: String
            var genre: String
        }
        let books = YapCollection("books", of: Book.self)

        try connection.readWrite { transaction in
            try transaction[books].save(Book(id: "dune", title: "Dune", genre: "sci-fi"))
            let dune: Book? = try transaction[books]["dune"]
            print(dune?.title ?? "")
        }
    }

    func plain() {
        struct Book: YapPlainCodable, Sendable, Identifiable {
            var id: String
            var genre: String
            var price: Double
        }
        let books = YapCollection("books", of: Book.self)
        let prices = YapList("prices", of: books, groupedBy: \.genre, sortedBy: .ascending(\.price))
        _ = prices
    }

    func rows(_ transaction: YapDatabaseReadWriteTransaction) throws {
        try transaction[books].update("dune") { $0.isRead = true }
    }

    func declarations() throws {
        let order = YapList("order", of: books, sortedBy: .ascending(\.title))
        let prices = YapIndex("prices", of: books, on: \.price)
        try database.register(order, prices)

        let titles = try database.register(YapList("titles", of: books, sortedBy: .ascending(\.title)))
        _ = titles
    }

    func index(_ transaction: YapDatabaseReadTransaction) throws {
        let prices = YapIndex("prices", of: books, on: \.price, \.year)
        try database.register(prices)
        let cheap = try transaction[books].where(\.price < 10).order(.ascending(\.year)).values()
        _ = cheap
        let shelf = YapIndex("shelf", of: books, on: \.price).together(\.genre, \.year)
        try database.register(shelf)
        let newest = try transaction[books].where(\.genre == "sci-fi").order(.descending(\.year)).limit(20).values()
        _ = newest
    }

    func texts(_ transaction: YapDatabaseReadTransaction) throws {
        let texts = YapTextIndex("texts", of: messages, on: \.text, \.author)
        try database.register(texts)
        let found = try transaction[texts].values(matching: "swift* list")  // the best first
        _ = found
    }

    func list() async throws {
        let order = YapList(
            "order", of: books, groupedBy: \.genre, sortedBy: .ascending(\.title), where: \.isOwned == true)
        try await database.register(order)
        try await connection.read { transaction in
            print(try transaction[order].value(at: 0, in: "sci-fi")?.title ?? "")
        }
        for try await update in connection.updates(of: order) { print(update.sections.map(\.group)) }
    }

    func updates(_ order: YapList<Book, String, Never>) async throws {
        for try await update in connection.updates(of: order, .last(50)) {
            if case .changes(let changes) = update.outcome { print(changes.rowChanges) }
        }
    }

    func order() {
        let order = YapList(
            "order", of: books, groupedBy: \.genre,
            sortedBy: .descending(\.price), .ascending(\.title, .localized(Locale(identifier: "sv"))),
            .ascending(\.year))
        _ = order
    }

    @MainActor func model(_ order: YapList<Book, String, Never>) throws {
        let model = try YapListModel(order, in: database)
        Task { try await model.follow() }
        // in the code that draws, which runs again when the model changes:
        for section in model.sections {
            for row in 0..<section.count { print(section.group, model[section.index, row]?.title ?? "") }
        }
    }
}
