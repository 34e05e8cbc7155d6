import Foundation
import LiveTable
import TestSupport
import Testing

@testable import ChatRoster

/// Files that are not a chat's stay as they are, whatever is asked of the chat; so do rows that it cannot decode.
@Suite struct ForeignFileTests {
    private struct Account: Codable {
        var email: String
    }

    private enum Content: CaseIterable {
        /// Rows under the names of the chat's collections.
        case likeNames
        /// Rows of other collections.
        case others
        /// A list with the name of one of the chat's, and messages that could be an earlier chat's.
        case likeList
        /// A list, and no rows.
        case listAlone
        /// Rows where an earlier chat had its messages.
        case messages
    }

    private func fill(_ url: URL, with content: Content) throws {
        let database = try YapDatabase(url: url)
        let connection = try database.newConnection()
        func save(_ collection: String, _ key: String) throws {
            let accounts = YapCollection(collection, of: Account.self, as: .json) { _ in key }
            try connection.readWrite { try $0[accounts].save(Account(email: "\(key)@example.org")) }
        }
        func register(_ name: String) throws {
            try database.register(YapList(name, of: YapCollection("accounts", of: Account.self) { $0.email }))
        }
        switch content {
        case .likeNames: for name in ["people", "users", "rooms", "settings"] { try save(name, "alice") }
        case .others: try save("books", "1")
        case .likeList:
            try saveOldMessage(connection)
            try register("conversations")
        case .listAlone: try register("accounts")
        case .messages: try save("messages", "1")
        }
        try database.close()
    }

    private func saveOldMessage(_ connection: YapDatabaseConnection) throws {
        struct Old: Codable {
            var conversation = "tea"
            var sender = "bob"
            var text = "hello"
            var date = Date(timeIntervalSince1970: 0)
        }
        let old = YapCollection("messages", of: Old.self) { _ in "1" }
        try connection.readWrite { try $0[old].save(Old()) }
    }

    private func options(_ url: URL) -> ChatOptions { ChatOptions(url: url, seed: 1, motion: .none, unicode: .full) }

    /// All that tools see of a file: rows, lists and their pages.
    private func contents(_ url: URL) throws -> Data {
        let database = try YapDatabase(url: url)
        try database.close()
        return try Data(contentsOf: url)
    }

    /// The lines of the archive of a chat in which nothing was said.
    private func emptyArchive(in folder: URL) throws -> [[UInt8]] {
        let url = folder.appending(path: "chat.sqlite")
        try ChatDatabase(url: url, as: "alice").close()
        var lines: [[UInt8]] = []
        try exportWholeChat(options(url)) { lines.append(Array($0.utf8)) }
        return lines
    }

    @Test(arguments: Content.allCases.indices) func aFileOfAnotherAppStaysAsItIs(number: Int) throws {
        let content = Content.allCases[number]
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "app.sqlite")
            try fill(url, with: content)
            let before = try contents(url)
            for joins in [true, false] {
                let error = #expect(throws: NotAChat.self) { try ChatDatabase(url: url, as: "alice", joins: joins) }
                let refusal = try #require(error)
                #expect(refusal.file == .foreign && refusal.description.contains("It was left as it is"))
            }
            let options = options(url)
            #expect(throws: NotAChat.self) { try exportWholeChat(options) { _ in } }
            #expect(throws: NotAChat.self) { try exportChat(options, asJSON: true) { _ in } }
            var archive = try emptyArchive(in: folder)[...]
            #expect(throws: NotAChat.self) { try importChat(options) { _ in archive.popFirst() } }
            #expect(try contents(url) == before, "\(content)")
        }
    }

    @Test func anEarlierChatIsTakenOverByThoseWhoTakePart() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "old.sqlite")
            let database = try YapDatabase(url: url)
            try saveOldMessage(database.newConnection())
            try database.close()
            let before = try contents(url)
            let error = #expect(throws: NotAChat.self) { try exportWholeChat(options(url)) { _ in } }
            let refusal = try #require(error)
            #expect(refusal.description.contains("`yap chat --db"))
            #expect(try contents(url) == before)
            let chat = try ChatDatabase(url: url, as: "alice")
            #expect(try chat.texts(.room("tea")) == ["hello"])
            try chat.close()
            var lines: [String] = []
            try exportWholeChat(options(url)) { lines.append($0) }
            #expect(lines.contains { $0.contains("hello") })
        }
    }

    @Test func rowsThatCannotBeDecodedAreNotReplaced() throws {
        let user = "the user"
        let stored = Data(#"{"plan":"gold"}"#.utf8)
        let rows = [("users", user), ("people", "bob"), ("settings", "alice")]
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "chat.sqlite")
            /// Opens the chat, expects that the rows are as they were stored, and closes it.
            func inChat(as name: String, _ body: (ChatDatabase) throws -> Void = { _ in }) throws {
                let chat = try ChatDatabase(url: url, as: name, user: user)
                try body(chat)
                for (collection, key) in rows {
                    let bytes = try chat.read { try $0.serializedObject(forKey: key, inCollection: collection) }
                    #expect(bytes == stored, "\(collection)/\(key)")
                }
                try chat.close()
            }
            let first = try ChatDatabase(url: url, as: "alice")
            try first.write { transaction throws in
                for (collection, key) in rows {
                    try transaction.setStored(RowKey(collection: collection, key: key), object: stored, metadata: nil)
                }
            }
            try first.close()
            try inChat(as: "alice")
            try inChat(as: "carol")
            // Who cannot be read takes part all the same.
            for _ in 0..<2 {
                try inChat(as: "bob") { chat throws in
                    try chat.say("still here", by: "bob", in: .pair("alice", "bob"))
                    #expect(try chat.texts(.pair("alice", "bob")).last == "still here")
                    #expect(try chat.read { try $0.roster(of: "bob") }.count == 3)
                }
            }
            try inChat(as: "alice") { chat throws in
                try chat.write { transaction throws in
                    try transaction.join("bob", at: Date())
                    try transaction.store(Settings(), of: "alice")
                    try transaction.number(["alice": 1], for: "alice", Settings())
                }
            }
            var lines = try [
                ArchiveLine(version: ArchiveLine.version).text,
                ArchiveLine(person: Person(name: "bob", joined: Date())).text, ArchiveLine(end: 2).text,
            ]
            _ = try importChat(options(url)) { _ in lines.isEmpty ? nil : Array(lines.removeFirst().utf8) }
            try inChat(as: "alice")
            let problems = try YapDatabase.check(url: url)
            #expect(problems.allSatisfy { $0.description.contains("leaves out people/bob") }, "\(problems)")
        }
    }

    @Test func aChatIsKnownByItsListsWhereNoPersonCanBeRead() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "chat.sqlite")
            let first = try ChatDatabase(url: url, as: "alice")
            try first.say("hello", by: "alice", in: .note("alice"))
            try first.write { transaction throws in
                try transaction.setStored(
                    RowKey(collection: "people", key: "alice"), object: Data("1".utf8), metadata: nil)
            }
            try first.close()
            let again = try ChatDatabase(url: url, as: "alice")
            #expect(try again.texts(.note("alice")) == ["hello"])
            try again.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }
}
