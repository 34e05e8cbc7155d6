import Foundation
import TestSupport
import Testing

/// What blocks a thread is diagnosed in async code, where an async form exists: docs/decisions/blocking-in-async-code.md.
///
/// Programs are given to the compiler with the modules that were built together with these tests. Each line that ends in `// error: TEXT`
/// must be an error, or a warning that becomes one, with this text, and no other line may be one.
@Suite struct BlockingCallsTests {
    @Test func blockingCallsAreErrorsInAsyncFunctions() throws {
        try compile(
            "blocking.swift",
            """
            import Foundation
            import YapDatabase
            import YapDatabaseExtensions

            struct Book: Codable, Persistable, Sendable, Swift.Identifiable {
                static var collection: String { "books" }
                var identifier: String
                var id: String { identifier }
            }
            let books = YapCollection("books", of: Book.self)
            let order = YapList("order", of: books, sortedBy: .ascending(\\.identifier))

            func database(_ database: YapDatabase, _ view: YapDatabaseManualView, _ fetch: YapDB.Fetch) async throws {
                try database.register(order) // error: 'async'
                try database.register(order, order) // error: 'async'
                try database.register(view, withName: "view") // error: 'async'
                try database.register([("view", view)]) // error: 'async'
                try database.unregisterExtension(withName: "view") // error: 'async'
                _ = try database.migrate(books) // error: 'async'
                try fetch.registerInDatabase(database) // error: 'async'
                try await database.register(order)
                try await database.register(order, order, progress: Progress(totalUnitCount: -1))
                try await database.register(view, withName: "view", progress: Progress(totalUnitCount: -1))
                try await database.register([("view", view)])
                try await database.unregisterExtension(withName: "view")
                _ = try await database.migrate(books)
                try await fetch.registerInDatabase(database)
            }

            func connection(_ connection: YapDatabaseConnection) async throws {
                try connection.readWrite { try $0.removeAllObjectsInAllCollections() } // error: 'async'
                _ = try connection.read { try $0.numberOfCollections() } // error: 'async'
                try connection.vacuum() // error: 'async'
                try connection.backup(toPath: "/tmp/copy") // error: 'async'
                try await connection.readWrite { try $0.removeAllObjectsInAllCollections() }
                _ = try await connection.read { try $0.numberOfCollections() }
                try await connection.vacuum()
                try await connection.backup(toPath: "/tmp/copy")
                try connection.syncReadWrite { try $0.removeAllObjectsInAllCollections() }
                _ = try connection.syncRead { try $0.numberOfCollections() }
            }

            func items(_ connection: YapDatabaseConnection, _ book: Book, _ index: YapDB.Index) async throws {
                try connection.write(book) // error: asyncWrite
                try connection.write([book]) // error: asyncWrite
                try connection.remove(book) // error: asyncRemove
                try connection.remove([book]) // error: asyncRemove
                try book.write(connection) // error: asyncWrite
                try [book].write(connection) // error: asyncWrite
                try book.remove(connection) // error: asyncRemove
                try [book].remove(connection) // error: asyncRemove
                let _: Book? = try connection.readByKey("a") // error: asyncReadByKey
                let _: [Book] = try connection.readByKeys(["a"]) // error: asyncReadByKey
                let _: Book? = try connection.readAtIndex(index) // error: asyncReadByKey
                let _: [Book] = try connection.readAtIndexes([index]) // error: asyncReadByKey
                let _: [Book] = try connection.readAll() // error: asyncReadByKey
                let _: Date? = try connection.readMetadataAtIndex(index) // error: asyncReadByKey
                let _: [Date] = try connection.readMetadataAtIndexes([index]) // error: asyncReadByKey
                _ = try Book.read(connection).byKey("a") // error: asyncRead
                _ = try Book.read(connection).byKeys(["a"]) // error: asyncRead
                _ = try Book.read(connection).byIndex(index) // error: asyncRead
                _ = try Book.read(connection).atIndex(index) // error: asyncRead
                _ = try Book.read(connection).atIndexes([index]) // error: asyncRead
                _ = try Book.read(connection).all() // error: asyncRead
                _ = try Book.read(connection).filterExisting(["a"]) // error: asyncRead
                _ = try Book.read(connection).metadataAtIndex(index) // error: asyncRead
                _ = try Book.read(connection).metadataAtIndexes([index]) // error: asyncRead
                try await connection.asyncWrite(book)
                try await [book].asyncRemove(connection)
                let _: Book? = try await connection.asyncReadByKey("a")
                _ = try await Book.asyncRead(connection).filterExisting(["a"]).missing
                // Inside of a transaction they do not wait.
                try await connection.readWrite { transaction in
                    try book.write(transaction)
                    _ = try Book.read(transaction).byKey("a")
                }
            }

            actor Shelf {
                func load(_ connection: YapDatabaseConnection) throws -> Int { try connection.read { try $0.numberOfCollections() } }
                func wait(_ connection: YapDatabaseConnection) async throws -> Int {
                    try connection.read { try $0.numberOfCollections() } // error: 'async'
                }
            }

            func tasks(_ connection: YapDatabaseConnection) {
                // A closure without `await` is a sync one for Swift, until it is given to a task.
                Task { try connection.readWrite { try $0.removeAllObjectsInAllCollections() } } // error: Await the async form
                Task { try await connection.readWrite { try $0.removeAllObjectsInAllCollections() } }
            }

            func synchronous(_ database: YapDatabase, _ connection: YapDatabaseConnection, _ book: Book) throws {
                try database.register(order)
                try connection.readWrite { try $0.removeAllObjectsInAllCollections() }
                try connection.write(book)
                _ = try Book.read(connection).byKey("a")
            }
            """)
    }

    /// Where Swift takes the sync form in spite of `await`.
    @Test func blockingCallsAreErrorsAtTheTopLevelOfAProgramThatAwaits() throws {
        try compile(
            "main.swift",
            """
            import Foundation
            import YapDatabase

            let order = YapList("order", of: YapCollection("texts", of: String.self, key: { $0 }), sortedBy: .ascending(\\.self))
            let database = try YapDatabase(url: URL(filePath: "/tmp/file"))
            let connection = try database.newConnection()
            try await connection.readWrite { try $0.removeAllObjectsInAllCollections() } // error: at the top level of main.swift
            _ = try await connection.read { try $0.numberOfCollections() } // error: at the top level of main.swift
            try await database.register(order) // error: at the top level of main.swift
            Task { try await connection.readWrite { try $0.removeAllObjectsInAllCollections() } }
            func work() async throws { try await connection.readWrite { try $0.removeAllObjectsInAllCollections() } }
            try await work()
            """)
    }

    /// A program that awaits nothing there is a sync one.
    @Test func theTopLevelOfAProgramWithoutAwaitMayBlock() throws {
        try compile(
            "main.swift",
            """
            import Foundation
            import YapDatabase

            let connection = try YapDatabase(url: URL(filePath: "/tmp/file")).newConnection()
            try connection.readWrite { try $0.removeAllObjectsInAllCollections() }
            """)
    }

    /// The values of today's Swift, beside the original's classes.
    @Test func optionsAreConstantsAtFileScopeAsValuesOnly() throws {
        try compile(
            "constants.swift",
            """
            import YapDatabase

            let options = YapViewOptions(isPersistent: false)
            let range = RangeOptions.flexible(length: 50, offset: 0, from: .end)
            let shown = YapShown.last(50)
            let mappings = Mappings(groups: ["a"])
            let list = YapList("list", of: YapCollection("texts", of: String.self, key: { $0 }), sortedBy: .ascending(\\.self))
            let originalOptions = YapDatabaseViewOptions() // error: not concurrency-safe
            let originalRange = YapDatabaseViewRangeOptions.fixedRange(withLength: 1, offset: 0, from: .end) // error: not concurrency-safe
            let originalMappings = YapDatabaseViewMappings(groups: ["a"], view: "view") // error: not concurrency-safe
            """)
    }

    private func compile(_ name: String, _ program: String) throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: name)
            try Data(program.utf8).write(to: file)
            let (text, code) = try run(
                "/bin/sh", [repository.appending(path: "Scripts/typecheck.sh").path, built, file.path])
            var found: [Int: String] = [:]
            for line in text.components(separatedBy: "\n") {
                guard let match = line.firstMatch(of: /\.swift:(\d+):\d+: (?:error|warning): (.*)/),
                    let number = Int(match.1)
                else { continue }
                found[number, default: ""] += match.2 + "\n"
            }
            let lines = program.components(separatedBy: "\n")
            #expect(code == 0 || !found.isEmpty, "The compiler did not read the program:\n\(text)")
            for (index, line) in lines.enumerated() {
                let expected = line.components(separatedBy: "// error: ")
                let message = found[index + 1]
                if expected.count == 2 {
                    #expect(
                        message?.contains(expected[1]) == true,
                        "\(name):\(index + 1): \(line): \(message ?? "compiled")")
                } else {
                    #expect(message == nil, "\(name):\(index + 1): \(line)")
                }
            }
        }
    }

    /// The folder of the modules that were built together with these tests.
    private var built: String {
        get throws {
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(filePath: tests).deletingLastPathComponent().path
        }
    }
}
