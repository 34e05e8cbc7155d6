import Foundation
import LiveTable
import TestSupport
import Testing

@testable import ChatRoster

/// Files that the original, or an earlier chat, wrote.
@Suite struct OldFilesTests {
    @Test func theOriginalsConversationsAreRooms() throws {
        try withCopy(of: "chat") { url in
            for _ in 0..<2 {
                let chat = try ChatDatabase(url: url, as: "erin")
                try chat.read { transaction in
                    let list = try transaction[Chat.conversations]
                    #expect(list.groups == ["#conv-0", "#conv-1", "#conv-2"] && list.count == 188)
                    let first = try #require(try list.value(at: 0, in: "#conv-1"))
                    #expect(
                        first.text.hasPrefix("message ") && ["bob", "carol", "dave", "alice"].contains(first.author))
                    let seats = try transaction.roster(of: "erin").filter { $0.conversation.hasPrefix("#") }
                    #expect(seats.count == 3 && seats.allSatisfy { $0.unread == 0 })
                    // What was there stays.
                    #expect(try transaction.numberOfKeys(inCollection: "messages") == 188)
                    #expect(try transaction.numberOfKeys(inCollection: "misc") == 10)
                }
                try chat.close()
                #expect(try YapDatabase.check(url: url) == [])
            }
        }
    }

    @Test func anEarlierChatsBuddiesArePeople() throws {
        struct Earlier: Codable {
            var id: String
            var conversation: String
            var isMine: Bool
            var text: String
            var date: Date
        }
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "chat.sqlite")
            let database = try YapDatabase(url: url)
            let earlier = YapCollection("messages", of: Earlier.self, key: \.id)
            try database.newConnection().readWrite { transaction in
                for number in 0..<4 {
                    try transaction[earlier].save(
                        Earlier(
                            id: "\(number)", conversation: "bob", isMine: number.isMultiple(of: 2), text: "\(number)",
                            date: Date(timeIntervalSince1970: Double(number))))
                }
            }
            try database.close()
            let chat = try ChatDatabase(url: url, as: "erin")
            #expect(try chat.texts(Conversation("erin", "bob")) == ["0", "1", "2", "3"])
            #expect(try chat.read { try $0[Chat.messages]["1"]?.author } == "bob")
            #expect(try chat.read { try $0[Chat.messages]["2"]?.author } == "erin")
            try chat.close()
        }
    }
}
