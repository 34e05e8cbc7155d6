import Foundation
import YapDatabase
import YapDatabaseExtensions

/// The examples in the doc comments of `YapDatabaseExtensions` and in `docs/extensions.md`.
private struct PersistableExamples {
    struct Book: Persistable, Codable {
        static let collection = "books"
        var identifier: String
        var title: String
    }

    func keep(_ connection: YapDatabaseConnection) throws {
        try Book(identifier: "dune", title: "Dune").write(connection)
        let dune: Book? = try connection.readByKey("dune")
        let (books, missing) = try Book.read(connection).filterExisting(["dune", "emma"])
        print(dune?.title ?? "none", books.count, missing)
    }

    func persistable(_ connection: YapDatabaseConnection) throws {
        struct Book: Persistable, Codable {
            static let collection = "books"
            var identifier: String
            var title: String
        }
        try connection.write(Book(identifier: "dune", title: "Dune"))
        let dune: Book? = try connection.readByKey("dune")
        _ = dune
    }

    func fetch(_ database: YapDatabase, _ byTitle: YapDatabaseViewSorting) throws {
        let books = YapDB.Fetch.view(
            YapDB.View(name: "books", grouping: .byKey { _, _, _ in "all" }, sorting: byTitle, collections: ["books"]))
        let old = YapDB.Fetch.filter(
            YapDB.Filter(name: "old", parent: books, filtering: .byObject { _, _, _, _, object in object is Book }))
        try old.registerInDatabase(database)
    }

    func search(_ database: YapDatabase, _ results: YapDB.SearchResults) async throws {
        let search = try YapDB.Search(db: database, view: .search(results)) { term in term + "*" }
        try await search.usingTerm("dun")
    }
}

/// Classes of archives stand at the top of a file.
private enum Coded {
    struct Book {
        var title: String
    }

    final class BookCoder: NSObject, NSCoding, CodingType {
        let value: Book
        init(_ value: Book) { self.value = value }
        init?(coder: NSCoder) {
            guard let title = coder.decodeObject(forKey: "title") as? String else { return nil }
            value = Book(title: title)
        }
        func encode(with coder: NSCoder) { coder.encode(value.title, forKey: "title") }
    }
}
