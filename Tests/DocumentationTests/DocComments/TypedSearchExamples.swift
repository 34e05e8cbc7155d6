import Foundation
import YapDatabase

/// The examples in the comments of what finds and filters typed lists.
private struct TypedSearchExamples {
    struct Book: Codable, Sendable, Identifiable {
        var id: String
        var title: String
        var price: Double
        var isOwned: Bool
    }
    struct Field: Sendable {
        var text: String
    }
    let database: YapDatabase
    let connection: YapDatabaseConnection
    let transaction: YapDatabaseReadWriteTransaction
    let books = YapCollection("books", of: Book.self)
    let order: YapList<Book, String, Never>
    let texts: YapTextIndex<Book, String, Never>

    func typed() throws {
        let typed = "o'br"
        let found = try transaction[texts].values(matching: .prefixes(of: typed))  // finds "O'Brien"
        _ = found
    }

    func limited() throws {
        let found = try transaction[texts].values(matching: .prefixes(of: "o'br"), limit: 20)
        _ = found
    }

    func words() throws {
        let found = try transaction[texts].values(matchingWordsIn: "a-b \"c")
        _ = found
    }

    func keys() throws {
        let keys = try transaction[texts].keys(matching: .phrase("white whale"))
        _ = keys
    }

    func untyped(
        _ search: YapDatabaseFullTextSearchTransaction, _ results: YapDatabaseSearchResultsViewTransaction
    ) throws {
        let query = try search.query(for: .prefixes(of: "o'br"))
        try search.iterateKeys(matching: query) { collection, key, stop in print(key) }

        try results.performSearch(for: .prefixes(of: "o'br"))
    }

    func filtered() async throws {
        let owned = YapList("owned", filtering: order, where: \.isOwned == true)
        try await database.register(order, owned)

        try await connection.write { transaction in
            try transaction[owned].setFilter(\.price < 10)
        }
    }

    func found(_ field: Field) async throws {
        let results = YapList("results", searching: texts, in: order)
        try await database.register(order, texts, results)
        try await connection.write { try $0[results].search(for: .prefixes(of: "o'br")) }

        try await connection.write { try $0[results].search(for: .words(in: field.text)) }
        let snippet = try transaction[results].snippet(of: "dune")  // "... the <b>spice</b> ..."
        _ = snippet
    }

    func ownOrder() {
        let found = YapList("found", searching: texts, sortedBy: .ascending(\.title))
        _ = found
    }
}

/// The examples of followed requests.
private struct RequestExamples {
    struct Book: Codable, Sendable, Identifiable {
        var id: String
        var title: String
        var year: Int
    }
    let connection: YapDatabaseConnection
    let books = YapCollection("books", of: Book.self)

    func rows() async throws {
        let old = books.where(\.year < 1970).order(.descending(\.year)).limit(50)
        let now = try await connection.read { transaction in try transaction[old].values() }
        for try await update in connection.updates(of: old) { print(update.rows.map(\.title)) }
        _ = now
    }

    func changes() async throws {
        let old = books.where(\.year < 1970).order(.descending(\.year)).limit(50)
        for try await update in connection.updates(of: old) {
            if case .changes(let changes) = update.outcome { print(changes.rowChanges) }
        }
        let second = books.order(.ascending(\.title)).limit(50, offset: 50)
        _ = second
    }
}
