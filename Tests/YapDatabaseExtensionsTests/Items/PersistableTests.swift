import Foundation
import TestSupport
import Testing
import YapDatabase
import YapDatabaseExtensions

@Suite struct PersistableTests {
    private struct Book: Persistable, Codable, Hashable {
        static let collection = "books"
        var identifier: Int
        var title: String
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
