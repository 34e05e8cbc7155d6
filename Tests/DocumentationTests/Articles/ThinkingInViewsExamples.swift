import Foundation
import TestSupport
import Testing
import YapDatabase

@Suite struct ThinkingInViewsExamples {
    struct Book: Codable, Sendable, Identifiable {
        var id: String
        var title: String
        var genre: String?
        var year: Int
    }
    let books = YapCollection("books", of: Book.self)

    @Test func examplesOfTheArticleRunAsItSays() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appending(path: "books.sqlite")
            let database = try YapDatabase(url: url)
            let connection = try database.newConnection()

            let order = YapList("order", of: books, groupedBy: \.genre, sortedBy: .ascending(\.title))
            let newest = YapList("newest", of: books, sortedBy: .descending(\.year), .ascending(\.title))
            let classics = YapList("classics", of: books, sortedBy: .ascending(\.year), where: \.year < 1970)
            try await database.register(order, newest, classics)

            let decades = YapList("decades", of: books, sortedBy: .ascending(\.year), versionTag: "1") { book in
                "\(book.year / 10 * 10)s"
            }
            try await database.register(decades)

            try await connection.readWrite { transaction in
                try transaction[books].save([
                    Book(id: "dune", title: "Dune", genre: "sci-fi", year: 1965),
                    Book(id: "emma", title: "Emma", genre: "romance", year: 1815),
                    Book(id: "diary", title: "Diary", genre: nil, year: 1942),
                ])
            }

            try await connection.read { transaction in
                let list = try transaction[order]
                print(list.groups)  // ["romance", "sci-fi"]: the diary has no genre
                print(list.count(in: "sci-fi"), try list.value(at: 0, in: "sci-fi")?.title ?? "")
                print(try list.place(of: "dune") ?? ("", 0))  // ("sci-fi", 0)
                print(try transaction[decades].groups)  // ["1810s", "1940s", "1960s"]
            }

            let filtered = YapList("filtered", filtering: order, where: \.year < 1900)
            try await database.register(filtered)

            try await connection.readWrite { transaction in
                try transaction[filtered].setFilter(\.year < 1970)
            }

            let favourites = YapList.manual("favourites", of: books)
            try await database.register(favourites)
            try await connection.readWrite { transaction in
                try transaction[favourites].append("dune")
                try transaction[favourites].insert("diary", at: 0)
            }
            #expect(try await connection.read { try $0[favourites].values().map(\.id) } == ["diary", "dune"])

            try await connection.read { transaction in
                let (order, decades) = (try transaction[order], try transaction[decades])
                #expect(order.groups == ["romance", "sci-fi"])
                #expect(try order.place(of: "dune")?.group == "sci-fi")
                #expect(decades.groups == ["1810s", "1940s", "1960s"])
                #expect(try transaction[newest].values().map(\.id) == ["dune", "diary", "emma"])
                #expect(try transaction[classics].values().map(\.id) == ["emma", "diary", "dune"])
                let view = transaction.ext("filtered") as? YapDatabaseViewTransaction
                #expect(view?.numberOfItemsInAllGroups() == 2)
            }
            try database.close()
            #expect(try YapDatabase.check(url: url).isEmpty)
        }
    }
}
