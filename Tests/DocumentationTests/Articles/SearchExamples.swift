import Foundation
import TestSupport
import Testing
import YapDatabase

/// The examples of the article about searches, compiled and run.
@Suite struct SearchExamplesTests {
    @Test func examplesOfTheArticleRunAsItSays() async throws {
        try await withTemporaryFolder { folder in
            let database = try YapDatabase(url: folder.appending(path: "t.sqlite"))
            let connection = try database.newConnection()
            let field = (text: "whi", cursor: 3)

            struct Message: Codable, Sendable, Identifiable {
                var id: Int
                var author: String
                var text: String
            }
            let messages = YapCollection("messages", of: Message.self)
            let texts = YapTextIndex("texts", of: messages, on: \.text, \.author)
            try await database.register(texts)

            try await connection.readWrite { transaction in
                try transaction[messages].save(Message(id: 1, author: "O'Brien", text: "the white whale"))
                try transaction[messages].save(Message(id: 2, author: "Éva", text: "a whale, and it is white"))
            }

            try await connection.read { transaction in
                let typing = try transaction[texts].values(matching: .prefixes(of: "o'br wh"), limit: 20)
                let words = try transaction[texts].values(matching: .words(in: "whale white"))
                let phrase = try transaction[texts].values(matching: .phrase("white whale"))
                print(typing.map(\.id), words.map(\.id), phrase.map(\.id))
            }
            try await connection.read { transaction in
                let texts = try transaction[texts]
                #expect(try texts.keys(matching: .prefixes(of: "o'br wh")) == [1])
                let both = try texts.keys(matching: .words(in: "whale white"))
                #expect(both.sorted() == [1, 2])
                #expect(try texts.keys(matching: .phrase("white whale")) == [1])
                #expect(try texts.keys(matching: .words(in: "eva")) == [2])
            }

            let order = YapList("order", of: messages, groupedBy: \.author, sortedBy: .ascending(\.id))
            let results = YapList("results", searching: texts, in: order, snippets: YapSnippets())
            try await database.register(order, results)

            try await connection.readWrite { transaction in
                try transaction[results].search(for: .prefixes(of: field.text))
            }
            #expect(try await connection.read { try $0[results].groups } == ["O'Brien", "Éva"])

            let snippet = try await connection.read { transaction in try transaction[results].snippet(of: 1) }
            print(snippet ?? "")  // the <b>white</b> whale
            #expect(snippet == "the <b>white</b> whale")

            let parts = YapTextIndex("parts", of: messages, on: \.author, tokenizer: .trigrams)
            try await database.register(parts)
            let brien = try await connection.read { transaction in
                try transaction[parts].values(matching: .words(in: "rie"))
            }
            #expect(brien.map(\.id) == [1])

            let found = YapList("found", searching: texts, sortedBy: .descending(\.id))
            try await database.register(found)
            try await connection.readWrite { try $0[found].search(for: .words(in: "whale")) }
            #expect(try await connection.read { try $0[found].values().map(\.id) } == [2, 1])

            try database.close()
            #expect(try YapDatabase.check(url: database.databaseURL) == [])
        }
    }
}
