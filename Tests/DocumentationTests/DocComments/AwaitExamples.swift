import Foundation
import YapDatabase
import YapDatabaseExtensions

/// The examples in the comments of what is awaited.
private struct AwaitExamples {
    struct Book: Codable, Persistable, Sendable, Swift.Identifiable {
        static var collection: String { "books" }
        var identifier: String
        var title: String
        var price: Double
        var id: String { identifier }
    }
    let database: YapDatabase
    let connection: YapDatabaseConnection
    let view: YapDatabaseAutoView
    let books = YapCollection("books", of: Book.self)

    func register(_ order: YapList<Book, String, Never>, _ prices: any YapDeclaration) async throws {
        let progress = Progress(totalUnitCount: -1)
        try await database.register(view, withName: "order", progress: progress)

        try await database.register(order, prices)

        let titles = try await database.register(YapList("titles", of: books, sortedBy: .ascending(\.title)))
        _ = titles

        try await database.unregister(order)
        try await database.unregisterExtension(withName: "order")
    }

    func registerAndWait(_ order: YapList<Book, String, Never>, _ prices: any YapDeclaration) throws {
        try database.register(order, prices)

        let titles = try database.register(YapList("titles", of: books, sortedBy: .ascending(\.title)))
        _ = titles

        let lists: [any YapDeclaration] = [order, prices]
        try database.register(lists)

        try database.unregister(order)
    }

    func readByFunction() async throws {
        @Sendable func count(_ transaction: YapDatabaseReadTransaction) throws -> Int {
            try transaction.numberOfKeys(inCollection: "books")
        }
        let count = try await connection.read(count)
        _ = count
    }

    func backup() async throws {
        try await connection.backup(toPath: "/backups/library.sqlite")
    }

    func read() async throws {
        let dune: Book? = try await connection.asyncReadAtIndex(YapDB.Index(collection: "books", key: "dune"))
        let some: [Book] = try await connection.asyncReadByKeys(["dune", "solaris"])
        let all: [Book] = try await connection.asyncReadAll()
        _ = (dune, some, all)
    }

    func readMetadata() async throws {
        let date: Date? = try await connection.asyncReadMetadataAtIndex(YapDB.Index(collection: "books", key: "dune"))
        _ = date
    }

    func readByKey() async throws {
        let dune: Book? = try await connection.asyncReadByKey("dune")
        _ = dune
    }

    func readOfType() async throws {
        let dune = try await Book.asyncRead(connection).byKey("dune")
        _ = dune
    }
}
