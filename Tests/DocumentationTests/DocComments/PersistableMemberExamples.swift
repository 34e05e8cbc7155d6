import Foundation
import YapDatabase
import YapDatabaseExtensions

/// The examples in the comments of the members of values that store themselves.
private struct PersistableMemberExamples {
    struct Book: Codable, Persistable, Sendable {
        static var collection: String { "books" }
        var identifier: String
    }
    let database: YapDatabase
    let connection: YapDatabaseConnection
    let transaction: YapDatabaseReadWriteTransaction
    let book: Book

    func asyncRemove() {
        connection.asyncRemove(book) { result in print(result) }
    }

    func asyncWrite() {
        connection.asyncWrite(book) { (result: Result<Book, any Error>) in print(result) }
    }

    func readAtIndex() throws {
        let dune: Book? = try connection.readAtIndex(YapDB.Index(collection: "books", key: "dune"))
        let some: [Book] = try connection.readByKeys(["dune", "solaris"])
        let all: [Book] = try connection.readAll()
        _ = (dune, some, all)
    }

    func readMetadataAtIndex() throws {
        let date: Date? = try connection.readMetadataAtIndex(YapDB.Index(collection: "books", key: "dune"))
        _ = date
    }

    func readByKey() throws {
        let dune: Book? = try connection.readByKey("dune")
        _ = dune
    }

    func write() throws {
        try connection.write(book)
        try connection.remove(book)
    }

    func readAtIndex2() throws {
        let dune: Book? = try transaction.readAtIndex(YapDB.Index(collection: "books", key: "dune"))
        let some: [Book] = try transaction.readByKeys(["dune", "solaris"])
        let all: [Book] = try transaction.readAll()
        _ = (dune, some, all)
    }

    func readByKey2() throws {
        let dune: Book? = try transaction.readByKey("dune")
        _ = dune
    }

    func readMetadataAtIndex2() throws {
        let date: Date? = try transaction.readMetadataAtIndex(YapDB.Index(collection: "books", key: "dune"))
        _ = date
    }

    func write2() throws {
        try transaction.write(book)
        try transaction.remove(book)
        try transaction.removeAtIndex(YapDB.Index(collection: "books", key: "solaris"))
    }

    func writeBlockOperation() throws {
        let operation = connection.writeBlockOperation { transaction in
            try transaction.removeAllObjects(inCollection: "books")
        }
        _ = operation
    }

    func registerPersistable() {
        database.registerPersistable(Book.self)
    }
}
