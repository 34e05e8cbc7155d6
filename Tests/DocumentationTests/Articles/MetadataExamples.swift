import Foundation
import TestSupport
import Testing
import YapDatabase

/// The examples of the article about metadata, compiled and run.
@Suite struct MetadataExamplesTests {
    struct Article: Codable, Sendable, Identifiable {
        var id: Int
        var text: String
    }

    @Test func examplesOfTheArticleRunAsItSays() async throws {
        try await withTemporaryFolder { folder in
            let database = try YapDatabase(url: folder.appending(path: "t.sqlite"))
            let connection = try database.newConnection()

            struct Fetched: Codable, Sendable, Equatable {
                var date: Date
                var etag: String
            }
            let articles = YapCollection("articles", of: Article.self, metadata: Fetched.self)

            try await connection.readWrite { transaction in
                let fetched = Fetched(date: .now, etag: "a7")
                try transaction[articles].save(Article(id: 1, text: "A long text"), metadata: fetched)
                try transaction[articles].save(Article(id: 1, text: "A longer text"))  // the metadata stay
                try transaction[articles].setMetadata(Fetched(date: .now, etag: "b2"), forKey: 1)  // the value stays
            }

            try await connection.read { transaction in
                let etag = try transaction[articles].metadata(forKey: 1)?.etag  // the value is not decoded
                let row = try transaction[articles].row(forKey: 1)  // both
                print(etag ?? "never fetched", row?.value.text ?? "")
            }
            #expect(try await connection.read { try $0[articles].row(forKey: 1)?.value.text } == "A longer text")

            let newest = YapList("newest", of: articles, sortedBy: .descending(\.id))
            try await database.register(newest)
            let first = try await connection.read { transaction in try transaction[newest].row(at: 0) }
            print(first?.value.text ?? "", first?.metadata?.etag ?? "")
            #expect(first?.metadata?.etag == "b2")

            try await aChangeOfMetadataIsAnUpdate()
            func aChangeOfMetadataIsAnUpdate() async throws {
                let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
                try coordinator.follow(newest.mappings())
                try await connection.readWrite { transaction in
                    try transaction[articles].setMetadata(Fetched(date: .distantPast, etag: "c1"), forKey: 1)
                }
                let outcomes = try coordinator.advance().map { $0.1 }
                guard case .changes(let changes) = outcomes.first else {
                    Issue.record("no change-set")
                    return
                }
                #expect(changes.rowChanges.map(\.type) == [.update])
            }

            try database.close()
            #expect(try YapDatabase.check(url: database.databaseURL) == [])
        }
    }
}
