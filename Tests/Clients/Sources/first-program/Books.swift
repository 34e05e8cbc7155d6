// The first program of "Getting started", with what a program has at file scope: all of it constants that Swift 6 takes.

import Foundation
import YapDatabase

struct Book: Codable, Sendable, Identifiable {
    var id: String
    var title: String
    var genre: String
    var year: Int
}
let books = YapCollection("books", of: Book.self)
let order = YapList("order", of: books, groupedBy: \.genre, sortedBy: .ascending(\.title))

@main struct Books {
    static func main() async throws {
        YapDatabase.setLogHandler { message in print(message.message) }
        let database = try YapDatabase(url: URL(filePath: "books.sqlite"))
        try await database.register(order)
    }
}

let inMemory = YapViewOptions(isPersistent: false, allowedCollections: YapWhitelistBlacklist(whitelist: ["books"]))
let newest = RangeOptions.fixed(length: 50, offset: 0, from: .end)
