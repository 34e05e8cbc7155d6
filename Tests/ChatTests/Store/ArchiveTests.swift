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
        return try importChat(options(url)) { limit in rest.popFirst().map { Array($0.utf8.prefix(limit)) } }
    }

    /// Writes as a program without the chat's lists.
    private func changeStored(_ url: URL, _ body: (YapDatabaseReadWriteTransaction) throws -> Void) throws {
        let database = try YapDatabase(url: url)
        try database.newConnection().readWrite(body)
        try database.close()
    }

    /// A file with five messages.
    private func fillNotes(_ url: URL) throws {
        let chat = try ChatDatabase(url: url, as: "alice")
        for number in 0..<5 { try chat.say("number \(number)", by: "alice", in: .note("alice")) }
        try chat.close()
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
            #expect(Set(try export(new)).isSuperset(of: lines.filter { !$0.contains("\"seat\"") }.dropLast()))
            for url in [old, new] { #expect(try YapDatabase.check(url: url) == []) }
        }
    }

    @Test func whatIsNoExportIsRefusedWithItsLine() throws {
        try withTemporaryFolder { folder in
            let (old, new) = (folder.appending(path: "old.sqlite"), folder.appending(path: "new.sqlite"))
            try fill(old)
            let lines = try export(old)
            let first = Array(lines.prefix(3))
            let refused: [(lines: [String], words: String)] = [
                (["hello"], "not the output"), ([#"{"version":3}"#], "not the output"),
                (Array(lines.dropFirst()), "not the output"),
                (first + [#"{"message":{}}"#], "Line 4"), (first + [#"{"later":1}"#], "Line 4"),
                (first + [String(repeating: "x", count: 17 << 20)], "Line 4"),
                (lines + lines.suffix(1), "Line \(lines.count + 1)"),
            ]
            for (bad, words) in refused {
                let error = #expect(throws: BadArchive.self) { _ = try take(bad, into: new) }
                #expect(error?.description.contains(words) == true)
            }
            #expect(try take(lines, into: new) == 0, "what stood before the last of these is there")
            #expect(try YapDatabase.check(url: new) == [])
        }
    }

    /// An export that failed leaves an empty file.
    @Test func anInputWithoutALineIsNoArchive() throws {
        try withTemporaryFolder { folder in
            _ = #expect(throws: NoArchive.self) { try take([], into: folder.appending(path: "new.sqlite")) }
        }
    }

    @Test func whatStandsBeforeADamagedLineAndInACutExportIsImported() throws {
        try withTemporaryFolder { folder throws in
            let old = folder.appending(path: "old.sqlite")
            try fillNotes(old)
            let lines = try export(old)
            let last = try #require(lines.lastIndex { $0.contains("\"message\"") })
            let cut = Array(lines[...last])
            for (number, bad) in [cut + ["", #"{"later":1}"#], cut + [" "]].enumerated() {
                let new = folder.appending(path: "new\(number).sqlite")
                #expect(throws: (any Error).self) { try take(bad, into: new) }
                let there = try ChatDatabase(url: new, as: "alice")
                #expect(try there.texts(.note("alice")).count == 5)
                try there.close()
            }
            // A line is missing in the middle.
            let gap = Array(lines[..<last]) + lines[(last + 1)...]
            let error = #expect(throws: BadArchive.self) { try take(gap, into: folder.appending(path: "gap.sqlite")) }
            #expect(error?.line == gap.count)
            // The first form had no last line.
            let first = [#"{"version":1}"#] + cut.dropFirst()
            #expect(try take(first, into: folder.appending(path: "first.sqlite")) == 5)
        }
    }

    @Test func anExportLeavesOutWhatCannotBeReadAndSaysSo() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "old.sqlite")
            try fillNotes(url)
            try changeStored(url) { transaction throws in
                let key = try #require(transaction.allKeys(inCollection: "chat").first)
                try transaction.setStored(RowKey(collection: "chat", key: key), object: Data("{".utf8), metadata: nil)
            }
            for _ in 0..<2 {
                var lines: [String] = []
                let sentence = try exportWholeChat(options(url)) { lines.append($0) }
                #expect(lines.count { $0.contains("\"message\"") } == 4)
                #expect(sentence?.hasPrefix("1 row is left out") == true, "\(sentence ?? "nothing")")
                #expect(lines.last == "{\"end\":\(lines.count - 1)}")
                var plain: [String] = []
                var options = options(url)
                options.other = "alice"
                #expect(try exportChat(options, asJSON: true) { plain.append($0) } != nil && plain.count == 4)
            }
        }
    }

    /// Rows of other programs whose key is another one than their value says.
    @Test func aMessageUnderAnotherKeyIsBroughtIntoOneForm() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "old.sqlite")
            let lines =
                [#"{"version":1}"#]
                + (0..<3).map { number in
                    let id = "m\(number)"
                    return
                        #"{"message":{"author":"zed","conversation":"Jose\u0301&alice","date":\#(number),"id":"\#(id)","text":"x"}}"#
                }
            #expect(try take(lines, into: url) == 3)
            try changeStored(url) { transaction throws in
                let stored = try #require(try transaction.serializedObject(forKey: "m0", inCollection: "chat"))
                try transaction.setStored(RowKey(collection: "chat", key: "other"), object: stored, metadata: nil)
                try transaction.removeObject(forKey: "m0", inCollection: "chat")
            }
            let chat = try ChatDatabase(url: url, as: "alice")
            #expect(try chat.texts(Conversation("alice", "Jos\u{e9}")).count == 3)
            try chat.close()
        }
    }
}
