import Foundation
import YapDatabase

/// The examples in the comments of the members of typed collections, queries and searches.
private struct TypedRowExamples {
    struct Book: Codable, Sendable, Identifiable {
        var id: String
        var title: String
        var price = 0.0
        var isRead = false
    }
    let transaction: YapDatabaseReadWriteTransaction
    let books = YapCollection("books", of: Book.self)
    let dated = YapCollection("dated", of: Book.self, metadata: Date.self)
    let texts: YapTextIndex<Book, String, Never>

    func key() {
        print(books.key(of: Book(id: "dune", title: "Dune")))  // "dune"
    }

    func makeCollection() {
        struct Reading: Codable, Sendable {
            var sensor: Int
            var value: Double
        }
        let readings = YapCollection("readings", of: Reading.self, as: .json) { $0.sensor }
        _ = readings
    }

    func makeCollection2() {
        let books = YapCollection("books", of: Book.self, metadata: Date.self)
        _ = books
    }

    func holds() {
        let long = YapCondition<Book>.holds { $0.title.count > 20 }
        _ = long
    }

    func whereExample() throws {
        let cheap = try transaction[books].where(\.price < 10).order(.ascending(\.title)).values()
        _ = cheap
    }

    func limit() throws {
        let page = try transaction[books].order(.ascending(\.title)).limit(50, offset: 100).values()
        _ = page
    }

    func forEach() throws {
        try transaction[books].where(\.price < 10).forEach { key, value in print(key, value.title) }
    }

    func explain() throws {
        print(try transaction[books].where(\.price < 10).explain())  // ["SEARCH secondaryIndex_prices USING …"]
    }

    func by() {
        let byLength = YapOrder<Book>.by { a, b in
            a.title.count == b.title.count
                ? .orderedSame : a.title.count < b.title.count ? .orderedAscending : .orderedDescending
        }
        _ = byLength
    }

    func subscriptRows() throws {
        let dune = try transaction[books]["dune"]
        _ = dune
    }

    func values() throws {
        let some = try transaction[books].values(forKeys: ["dune", "solaris"])
        _ = some
    }

    func row() throws {
        if let row = try transaction[dated].row(forKey: "dune") { print(row.value.title, row.metadata ?? .distantPast) }
    }

    func metadata() throws {
        let date = try transaction[dated].metadata(forKey: "dune")
        _ = date
    }

    func contains() throws {
        if try !transaction[books].contains("dune") { print("no such book") }
    }

    func keys() throws {
        let keys = try transaction[books].keys()
        _ = keys
    }

    func decodableValues() throws {
        let (values, problems) = try transaction[books].decodableValues()
        _ = (values, problems)
    }

    func forEach2() throws {
        try transaction[books].forEach { key, book in print(key, book.title) }
    }

    func first() throws {
        let unread = try transaction[books].first { !$0.isRead }
        _ = unread
    }

    func save() throws {
        try transaction[books].save(Book(id: "dune", title: "Dune"))
        try transaction[books].save([Book(id: "solaris", title: "Solaris")])
    }

    func save2() throws {
        try transaction[dated].save(Book(id: "dune", title: "Dune"), metadata: Date())
    }

    func setMetadata() throws {
        try transaction[dated].setMetadata(Date(), forKey: "dune")
    }

    func remove() throws {
        try transaction[books].remove("dune")
        try transaction[books].remove(["solaris", "ubik"])
    }

    func removeAll() throws {
        try transaction[books].removeAll()
    }

    func touch() throws {
        try transaction[books].touch("dune")
    }

    func keys2() throws {
        let keys = try transaction[texts].keys(matching: "dun*")
        _ = keys
    }

    func queries() throws {
        let unread = transaction[books].where(\.price < 10).where(\.isRead == false).order(.ascending(\.title))
        print(try unread.count, try unread.values().map(\.title), try unread.keys())
        let cheapest = try transaction[books].order(.ascending(\.price)).first()
        _ = cheapest
    }

    func searches() throws {
        let best = try transaction[texts].values(matching: "swift* list", limit: 20)
        _ = best
    }
}
