import Foundation
import LiveTable
import TestSupport
import Testing

@testable import ChatRoster

/// A chat moves house: everything of one file is read into another.
@Suite struct ArchiveTests {
    private let pair = Conversation("alice", "bob")

    private func options(_ url: URL) -> ChatOptions {
        var options = ChatOptions(url: url, seed: 1, motion: .none, unicode: .safe)
        options.name = "alice"
        return options
    }

    private func export(_ url: URL) throws -> [String] {
        var lines: [String] = []
        try exportWholeChat(options(url)) { lines.append($0) }
        return lines
    }

    private func take(_ lines: [String], into url: URL) throws -> Int {
        var rest = lines[...]
        return try importChat(options(url)) { rest.popFirst().map { Array($0.utf8) } }
    }

    /// A file with all that there is.
    private func fill(_ url: URL) throws {
        let chat = try ChatDatabase(url: url, as: "alice")
        try chat.write { try $0.join("bob", at: Date()) }
        try chat.write { try $0.join(.room("tea"), "alice") }
        try chat.write { try $0.setTopic("green", of: .room("tea"), by: "alice") }
        let first = try chat.say("first", by: "bob", in: pair)
        let reply = Message("reply", in: pair, by: "alice", reply: Message.Quote(id: first.id, author: "bob"))
        try chat.write { try $0.append(reply) }
        try chat.write { try $0.edit(first.id, text: "first, edited", by: "bob", at: Date()) }
        try chat.write { try $0.react("+1", to: first.id, by: "alice") }
        for number in 0..<1_200 { try chat.say("number \(number)", by: "bob", in: pair) }
        let gone = try chat.say("gone", by: "bob", in: pair)
        try chat.write { try $0.delete(gone.id, by: "bob") }
        try chat.write { try $0.markRead(by: "alice", in: pair.id, upTo: first.position) }
        try chat.close()
    }

    @Test func everythingIsThereInTheOtherFileAndOnce() throws {
        try withTemporaryFolder { folder in
            let (old, new) = (folder.appending(path: "old.sqlite"), folder.appending(path: "new.sqlite"))
            try fill(old)
            let lines = try export(old)
            #expect(try take(lines, into: new) > 1_200)
            #expect(try export(new).sorted() == lines.sorted())
            // Again: nothing is added, and what was changed there stays.
            let chat = try ChatDatabase(url: new, as: "alice")
            let unread = try chat.row("alice", pair).unread
            #expect(unread == 1_200)
            try chat.say("only here", by: "alice", in: pair)
            try chat.close()
            #expect(try take(lines, into: new) == 0)
            #expect(Set(try export(new)).isSuperset(of: lines.filter { !$0.contains("\"seat\"") }))
            for url in [old, new] { #expect(try YapDatabase.check(url: url) == []) }
        }
    }

    @Test func whatIsNoExportIsRefusedWithItsLine() throws {
        try withTemporaryFolder { folder in
            let (old, new) = (folder.appending(path: "old.sqlite"), folder.appending(path: "new.sqlite"))
            try fill(old)
            let lines = try export(old)
            for (bad, words) in [
                (["hello"], "not the output"), ([#"{"version":2}"#], "not the output"),
                (Array(lines.dropFirst()), "not the output"),
                (lines.prefix(3) + [#"{"message":{}}"#], "Line 4"), (lines.prefix(3) + [#"{"later":1}"#], "Line 4"),
                (lines.prefix(3) + [String(repeating: "x", count: 2 << 20)], "Line 4"),
            ] {
                let error = #expect(throws: BadArchive.self) { _ = try take(bad, into: new) }
                #expect(error?.description.contains(words) == true)
            }
            #expect(try take(lines, into: new) > 1_200)
            #expect(try YapDatabase.check(url: new) == [])
        }
    }
}
