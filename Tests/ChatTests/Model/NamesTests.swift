import Foundation
import Testing

@testable import ChatRoster

/// Names, the ids that are made of them, and mentions.
@Suite struct NamesTests {
    @Test func aNameIsTakenWithoutItsBlanks() throws {
        #expect(try Person.checked("  Zoë.o'Hara-2 ") == "Zoë.o'Hara-2")
        #expect(try Person.checked("Ἀριστοτέλης") == "Ἀριστοτέλης")
    }

    /// However they are typed: names and ids are keys, whose bytes count.
    @Test func namesHaveOneUnicodeForm() throws {
        let (composed, decomposed) = ("Jos\u{e9}", "Jose\u{301}")
        #expect(try Person.checked(decomposed).utf8.elementsEqual(composed.utf8))
        let room = try Conversation.named("#\(decomposed)", by: "bob").id
        let pair = try Conversation.named(decomposed, by: "bob").id
        #expect(room.utf8.elementsEqual("#jos\u{e9}".utf8) && pair.utf8.elementsEqual("Jos\u{e9}&bob".utf8))
    }

    @Test(arguments: [
        "", "  ", "a b", "a/b", "a&b", "#tea", "@bob", "a\u{1B}[31m", "a\nb", String(repeating: "x", count: 25),
    ])
    func aNameThatMeansSomethingElseIsRefused(name: String) {
        #expect(throws: BadName.self) { try Person.checked(name) }
    }

    @Test func anIdSaysWhoTakesPart() throws {
        #expect(Conversation("bob", "alice").id == "alice&bob" && Conversation("alice", "bob").id == "alice&bob")
        for conversation in [Conversation("bob", "alice"), .note("bob"), .room("tea")] {
            #expect(Conversation(id: conversation.id) == conversation)
        }
        #expect(Conversation(id: "tea") == nil && Conversation(id: "#") == nil && Conversation(id: "a&b&c") == nil)
        #expect(try Conversation.named("#Tea", by: "bob") == .room("tea"))
        #expect(try Conversation.named("bob", by: "bob") == .note("bob"))
        #expect(Conversation("bob", "alice").title(for: "bob") == "alice")
        #expect(Conversation("bob", "alice").isClosed(to: "carol") && !Conversation.room("tea").isClosed(to: "carol"))
    }

    @Test func aMentionIsAWholeName() {
        let names = ["bob", "bobby", "Carol"]
        #expect(Message.mentions(in: "hi @Bob, and @carol.", of: names) == ["bob", "Carol"])
        #expect(Message.mentions(in: "@bobby!", of: names) == ["bobby"])
        #expect(Message.mentions(in: "@all tea", of: names) == names)
        #expect(Message.mentions(in: "mail bob@carol", of: names) == nil)
    }
}
