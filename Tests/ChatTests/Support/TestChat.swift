import Foundation
import LiveTable
import TestSupport
import Testing

@testable import ChatRoster

/// A chat in a temporary folder, checked as a whole at the end.
func withChat<Value>(as name: String = "alice", _ body: (ChatDatabase) throws -> Value) throws -> Value {
    try withTemporaryFolder { folder in
        let url = folder.appending(path: "chat.sqlite")
        let chat = try ChatDatabase(url: url, as: name)
        let value = try body(chat)
        try chat.close()
        #expect(try YapDatabase.check(url: url) == [])
        return value
    }
}

extension ChatDatabase {
    func write<Value>(_ body: (YapDatabaseReadWriteTransaction) throws -> Value) throws -> Value {
        try writer.readWrite(body)
    }

    func read<Value>(_ body: (YapDatabaseReadTransaction) throws -> Value) throws -> Value { try writer.read(body) }

    @discardableResult
    func say(_ text: String, by author: String, in conversation: Conversation, at date: Date = Date()) throws -> Message
    {
        let message = Message(text, in: conversation, by: author, date: date)
        try write { try $0.append(message) }
        return try read { try #require(try $0[Chat.messages][message.id]) }
    }

    /// A row of a person's roster.
    func row(_ person: String, _ conversation: Conversation) throws -> RosterRow {
        try read { try #require(try $0.roster(of: person).first { $0.conversation == conversation.id }) }
    }

    func texts(_ conversation: Conversation) throws -> [String] {
        try read { try $0[Chat.conversations].values(in: conversation.id).map(\.text) }
    }
}
