import Foundation
import TestSupport
import Testing
import YapDatabase

@Suite struct SnapshotsAndThreadsExamples {
    struct Book: Codable, Sendable, Identifiable {
        var id: String
        var title: String
    }
    let books = YapCollection("books", of: Book.self)

    @Test func aFrozenConnectionSeesOneCommit() async throws {
        try await withTemporaryFolder { folder in
            let database = try YapDatabase(url: folder.appending(path: "books.sqlite"))

            let screen = try database.newConnection()
            let background = try database.newConnection()
            try screen.jump()

            try await background.readWrite { try $0[books].save(Book(id: "dune", title: "Dune")) }
            let before = try await screen.read { try $0[books].count }  // 0: the screen has not jumped
            let commits = try screen.jump()
            let after = try await screen.read { try $0[books].count }  // 1
            print(commits.map(\.snapshot), commits.first?.insertedKeys.contains("dune", inCollection: "books") ?? false)

            #expect(before == 0 && after == 1)
            #expect(commits.first?.insertedKeys.contains("dune", inCollection: "books") == true)
            try database.close()
        }
    }

    func sync(_ connection: YapDatabaseConnection) throws {
        // In code that is not async, a call blocks the thread until the transaction is done.
        let titles = try connection.read { transaction in try transaction[books].values().map(\.title) }
        print(titles)
    }

    func wait(_ connection: YapDatabaseConnection) async throws {
        // In async code it does not, and a cancelled task leaves the queue.
        let titles = try await connection.read { transaction in try transaction[books].values().map(\.title) }
        print(titles)
    }

    @Test func anErrorRollsBack() async throws {
        try await withTemporaryFolder { folder in
            let database = try YapDatabase(url: folder.appending(path: "books.sqlite"))
            let connection = try database.newConnection()

            struct NotEnough: Error {}
            do {
                try await connection.readWrite { transaction in
                    try transaction[books].save(Book(id: "dune", title: "Dune"))
                    throw NotEnough()
                }
            } catch is NotEnough {
                // Nothing was stored.
            }

            #expect(try await connection.read { try $0[books].count } == 0)
            try database.close()
        }
    }

    func processes(_ database: YapDatabase) async {
        for await commit in database.commits {
            if commit.isForeign { print("Another process made commit \(commit.snapshot).") }
            if commit.isExternal { print("What it changed is not known: lists compare their rows.") }
        }
    }
}
