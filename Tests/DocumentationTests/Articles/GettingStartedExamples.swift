import Foundation
import TestSupport
import Testing
import YapDatabase

/// The examples of "Getting started", in the order of the article. The files of this folder have those of the other articles.
@Suite struct GettingStartedExamples {
    @Test func examplesOfTheArticleRunAsItSays() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appending(path: "books.sqlite")

            struct Book: Codable, Sendable, Identifiable {
                var id: String
                var title: String
                var genre: String
                var year: Int
            }
            let books = YapCollection("books", of: Book.self)
            let order = YapList("order", of: books, groupedBy: \.genre, sortedBy: .ascending(\.title))

            let database = try YapDatabase(url: url)
            try await database.register(order)
            let connection = try database.newConnection()

            try await connection.readWrite { transaction in
                try transaction[books].save(Book(id: "dune", title: "Dune", genre: "sci-fi", year: 1965))
                try transaction[books].save(Book(id: "emma", title: "Emma", genre: "romance", year: 1815))
            }
            try await connection.readWrite { transaction in
                try transaction[books].update("dune") { $0.title = "Dune, volume 1" }
                try transaction[books].remove("emma")
            }

            let dune = try await connection.read { transaction in try transaction[books]["dune"] }

            try await connection.read { transaction in
                let list = try transaction[order]
                for group in list.groups {
                    for index in 0..<list.count(in: group) {
                        print(group, try list.value(at: index, in: group)?.title ?? "")
                    }
                }
            }

            let years = YapIndex("years", of: books, on: \.year)
            try await database.register(years)
            let old = try await connection.read { transaction in
                try transaction[books].where(\.year < 1970).order(.descending(\.year)).values()
            }

            let titles = YapTextIndex("titles", of: books, on: \.title)
            try await database.register(titles)
            let typed = try await connection.read { transaction in
                try transaction[titles].values(matching: .prefixes(of: "vol du"))
            }

            let book = Book(id: "emma", title: "Emma", genre: "romance", year: 1815)
            do {
                try await connection.readWrite { transaction in try transaction[books].save(book) }
            } catch let error as YapDatabaseError where error.code == .diskFull {
                print(error.message)
            }

            let task = Task {
                for try await update in connection.updates(of: order) {
                    switch update.outcome {
                    case .none: break
                    case .changes(let changes): print(changes.rowChanges)
                    case .reload: print(update.sections.map(\.group))
                    }
                }
            }
            task.cancel()

            #expect(dune?.title == "Dune, volume 1")
            #expect(old.map(\.id) == ["dune"] && typed.map(\.id) == ["dune"])
            _ = await task.result
            try database.close()
            #expect(try YapDatabase.check(url: url).isEmpty)
        }
    }
}
