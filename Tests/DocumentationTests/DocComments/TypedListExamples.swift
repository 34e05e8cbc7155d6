import Foundation
import YapDatabase

/// The examples in the comments of the members of typed lists.
private struct TypedListExamples {
    struct Book: Codable, Sendable, Identifiable {
        var id: String
        var title: String
    }
    let connection: YapDatabaseConnection
    let transaction: YapDatabaseReadTransaction
    let books = YapCollection("books", of: Book.self)
    let order: YapList<Book, String, Never>
    let model: YapListModel<Book, String, Never>
    let mappings: YapDatabaseViewMappings

    func makeList() {
        let titles = YapList("titles", of: books, sortedBy: .ascending(\.title))
        _ = titles
    }

    func makeList2() {
        let initials = YapList("initials", of: books, sortedBy: .ascending(\.title), versionTag: "1") { book in
            book.title.first.map { String($0) }
        }
        _ = initials
    }

    func value() throws {
        let first = try transaction[order].value(at: 0, in: "sci-fi")
        _ = first
    }

    func key() throws {
        let key = try transaction[order].key(at: 0, in: "sci-fi")  // "dune"
        _ = key
    }

    func row() throws {
        if let row = try transaction[order].row(at: 0, in: "sci-fi") { print(row.key, row.value.title) }
    }

    func values() throws {
        let firstTen = try transaction[order].values(in: "sci-fi", 0..<10)
        _ = firstTen
    }

    func place() throws {
        if let place = try transaction[order].place(of: "dune") { print(place.group, place.index) }
    }

    @MainActor func advance() {
        model.advance()  // for a program that does not follow with a task
        print(model.snapshot, model.count)
    }

    @MainActor func subscriptListModel() {
        print(model[0, 0]?.title ?? "no row")
    }

    func last() async throws {
        for try await update in connection.updates(of: order, .last(50)) { print(update.rows.count) }
    }

    func mappingsExample() throws {
        let mappings = order.mappings(.last(50))
        try connection.read { transaction in try mappings.update(with: transaction) }
        _ = mappings
    }

    func value2() throws {
        let value = try transaction[order].value(at: RowPath(section: 0, row: 0), with: mappings)
        _ = value
    }

    func path() throws {
        let path = try transaction[order].path(of: "dune", with: mappings)
        _ = path
    }

    func count() throws {
        for group in try transaction[order].groups { print(group, try transaction[order].count(in: group)) }
    }
}
