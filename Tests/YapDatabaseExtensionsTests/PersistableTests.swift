import Foundation
import TestSupport
import Testing
import YapDatabase
import YapDatabaseExtensions

@Suite struct PersistableTests {
    private struct Book: Persistable, Hashable {
        static let collection = "books"
        var identifier: Int
        var title: String
    }

    private func withDatabase(_ body: (YapDatabase, YapDatabaseConnection) throws -> Void) throws {
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url)
            try body(database, database.newConnection())
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func whatIsWrittenIsReadAsItsType() throws {
        try withDatabase { database, connection in
            database.registerPersistable(Book.self)
            let books = [Book(identifier: 2, title: "Emma"), Book(identifier: 1, title: "Dune")]
            try connection.write(books)
            let dune: Book? = try connection.readByKey("1")
            #expect(dune == books[1] && dune?.index == YapDB.Index(collection: "books", key: "1"))
            #expect(try connection.readAll() == [books[1], books[0]])
            #expect(try connection.readByKeys(["2", "3"]) == [books[0]])
            try connection.remove(books[0])
            let emma: Book? = try connection.readByKey("2")
            #expect(emma == nil)
        }
    }

    @Test func aRowOfAnotherTypeIsAnErrorAndNotMissing() throws {
        try withDatabase { _, connection in
            try connection.readWrite { try $0.setObject("a text", forKey: "1", inCollection: "books") }
            #expect(throws: YapDatabaseError.self) { let _: Book? = try connection.readByKey("1") }
        }
    }
}
