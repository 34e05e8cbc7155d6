import Foundation
import LiveTable
import TestSupport
import Testing

/// The examples of the README and of `docs/tour.md`, which are compiled here.
@Suite struct ReadmeExamplesTests {
    /// Each example of the two documents is in this file, line by line.
    @Test(arguments: [("README.md", 1), ("docs/tour.md", 4)])
    func theExamplesAreThoseThatAreCompiled(document: String, count: Int) throws {
        let here = try lines(of: #filePath)
        let text = try String(contentsOf: repository.appending(path: document), encoding: .utf8)
        let parts = text.components(separatedBy: "```swift\n").dropFirst()
        #expect(parts.count >= count)
        for part in parts {
            let example = try #require(part.components(separatedBy: "```").first)
            let wanted = Self.code(in: example)
            #expect(here.contains(wanted), "This example is not compiled:\n\(example)")
        }
    }

    private func lines(of path: String) throws -> String {
        Self.code(in: try String(contentsOfFile: path, encoding: .utf8))
    }

    /// The text without what only lays it out.
    private static func code(in text: String) -> String { String(text.filter { !$0.isWhitespace }) }

    @Test func theFirstExampleFollowsTheList() async throws {
        try await withTemporaryFolder { folder in
            let database = try YapDatabase(url: folder.appending(path: "books.sqlite"))
            let task = Task { try await ReadmeExamples().run(database) }
            let writer = try database.newConnection()
            while try await writer.read({ try $0.numberOfKeysInAllCollections() }) == 0 { await Task.yield() }
            task.cancel()
            _ = await task.result
            try database.close()
            #expect(try YapDatabase.check(url: folder.appending(path: "books.sqlite")) == [])
        }
    }
}

private struct ReadmeExamples {
    func run(_ database: YapDatabase) async throws {
        struct Book: Codable, Sendable, Identifiable {
            var id: String
            var title: String
            var genre: String
            var year: Int
        }
        let books = YapCollection("books", of: Book.self)
        let order = YapList("order", of: books, groupedBy: \.genre, sortedBy: .ascending(\.title))

        func follow(_ database: YapDatabase) async throws {
            try await database.register(order)
            let connection = try database.newConnection()
            try await connection.readWrite { transaction in
                try transaction[books].save(Book(id: "dune", title: "Dune", genre: "sci-fi", year: 1965))
            }
            for try await update in connection.updates(of: order) {
                print(update.rows.map(\.title), update.outcome)  // the rows, and the exact change-set that led to them
            }
        }

        func animate(_ database: YapDatabase) throws {
            let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
            // The last 50 of each.
            let mappings = order.mappings(.last(50, groups: ["fantasy", "sci-fi"]))
            mappings.setCellDrawingDependencyForNeighboringCellWithOffset(-1, forGroup: "sci-fi")
            try coordinator.follow(mappings)

            // After each commit, for example in: for await _ in database.commits
            for (list, outcome) in try coordinator.advance() {
                switch outcome {
                case .none: break
                case .changes(let changes): print(list.view, changes.sectionChanges, changes.rowChanges)
                case .reload: print(list.view, "is shown again")
                }
            }
            let first = try coordinator.connection.read {
                try $0[order].value(at: RowPath(section: 0, row: 0), with: mappings)
            }
            print(first?.title ?? "none")
        }

        @MainActor func table(_ database: YapDatabase) throws -> LiveTables {
            let tables = try LiveTables(connection: database.newConnection())
            let list = LiveTable(order) { book in RowCell(book.title) }
            try tables.add(list)
            return tables
        }

        let years = YapIndex("years", of: books, on: \.year, \.title)
        let titles = YapTextIndex("titles", of: books, on: \.title)

        func find(_ database: YapDatabase) throws {
            try database.register(years, titles)
            try database.newConnection().read { transaction in
                let old = try transaction[books].where(\.year < 1970 && \.title != "Dune").order(.descending(\.year))
                    .values()
                let found = try transaction[titles].values(matching: .prefixes(of: "dun"))  // the best first
                print(old, found)
            }
        }

        func upload(
            _ book: Book, by operation: YapDatabaseCloudCoreOperation, to database: YapDatabase,
            _ uploader: any YapDatabaseCloudCorePipelineDelegate
        ) throws {
            let cloud = YapDatabaseCloudCore(versionTag: "1", options: nil)
            cloud.registerPipeline(
                YapDatabaseCloudCorePipeline(name: YapDatabaseCloudCoreDefaultPipelineName, delegate: uploader))
            try database.register(cloud, withName: "cloud")
            let connection = try database.newConnection()
            try connection.readWrite { transaction in
                try transaction[books].save(book)
                try (transaction.ext("cloud") as? YapDatabaseCloudCoreTransaction)?.addOperation(operation)
            }
            // In the delegate, when the server has answered:
            try connection.readWrite { transaction in
                try (transaction.ext("cloud") as? YapDatabaseCloudCoreTransaction)?.completeOperation(
                    with: operation.uuid)
            }
        }

        try find(database)
        _ = (table, upload, animate)
        try await follow(database)
    }
}
