import Foundation
import LiveTable
import TestSupport
import Testing

@testable import ChatRoster

/// What a person meets who is new to a chat, and what keeps slips from making persons.
@MainActor @Suite struct FirstScreenTests {
    private let pair = Conversation("alice", "bob")

    @Test func theFirstScreenSaysWhereOneIsAndHowAnotherComesIn() async throws {
        try await withScreenChat { chat in
            let screen = try TestScreen(chat, width: 200)
            let path = chat.database.databaseURL.path
            try await screen.shows("No one else has been here yet.")
            let text = screen.lines().joined().replacing(" ", with: "")
            #expect(text.contains("yapchat--db") && text.contains("--asNAME"))
            screen.press(.key(.character("c"), .alt))
            #expect(screen.copied == "yap chat --db \(path) --as NAME")
            #expect(screen.lines().joined().contains("Copied: yap chat --db"))
            for name in ["bob", "carol", "dan"] { try chat.write { try $0.join(name, at: Date()) } }
            try await screen.shows("Here before: bob, carol, dan.")
            // As on the roster.
            try chat.write { transaction in
                try transaction.set(.available, away: nil, of: "carol", at: Date())
                try transaction.setAway("tea", of: "dan", at: Date())
            }
            try await screen.shows("Here now: carol. Away: dan. Here before: bob. Ctrl-K goes to one.")
        }
    }

    /// In a folder of a group, whose members have accounts, and so names, of their own.
    @Test func theCommandThatIsCopiedIsTheOneThatIsShown() async throws {
        try await withTemporaryFolder { folder in
            let shared = folder.appending(path: "ours")
            try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
            try #require(chmod(shared.path, 0o2770) == 0)
            let url = shared.appending(path: "chat.sqlite")
            let chat = try ChatDatabase(url: url, as: "alice")
            let screen = try TestScreen(chat, width: 200)
            try await screen.shows("Everyone in the group")
            screen.press(.key(.character("c"), .alt))
            let copied = try #require(screen.copied)
            #expect(copied == "yap chat --db \(url.path)")
            let lines = screen.lines().map { $0.split(separator: "│").map { String($0).trimmed } }
            #expect(lines.contains { $0.contains(copied) }, "\(lines)")
            try chat.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test(arguments: [
        ("postgres://alice@db.example.com/yap", "chat", "'postgres://NAME@db.example.com/yap'"),
        (
            "postgres://db.example.com/yap?user=alice&port=1", "tea",
            "'postgres://db.example.com/yap?user=NAME&port=1' --space tea"
        ),
        ("host=/run dbname=a@b user='al ice'", "chat", "'host=/run dbname=a@b user=NAME'"),
        ("service=chat", "a b", "'service=chat' --space 'a b'"),
    ])
    func anotherOneComesInInAnotherRole(address: String, space: String, shown: String) {
        #expect(ChatOptions.invitation(toServer: address, space: space) == "yap chat --server " + shown)
    }

    @Test func theFirstLineIsNoNoteUnlessOneMeansIt() async throws {
        try await withScreenChat { chat in
            let screen = try TestScreen(chat)
            screen.type("hello everybody")
            screen.press(.key(.enter))
            #expect(screen.lines().contains { $0.contains("To whom?") })
            #expect(screen.program.state.composer.field.text == "hello everybody")
            #expect(try chat.texts(.note("alice")).isEmpty)
            screen.press(.key(.enter))
            try await screen.shows("▎ hello everybody ✓")
            screen.type("and more")
            screen.press(.key(.enter))
            try await screen.shows("▎ and more ✓")
        }
    }

    @Test func whatIsAskedAboutGoesAlongToWhereOneGoes() async throws {
        try await withScreenChat { chat in
            try chat.write { try $0.join("bob", at: Date()) }
            let screen = try TestScreen(chat)
            screen.type("hello")
            screen.press(.key(.enter))
            screen.press(.key(.character("k"), .control))
            screen.type("bob")
            screen.press(.key(.enter))
            #expect(screen.program.state.composer.conversation == pair.id)
            #expect(screen.program.state.composer.field.text == "hello")
            screen.press(.key(.enter))
            try await screen.shows("▎ hello ✓")
            #expect(try chat.texts(pair) == ["hello"] && chat.texts(.note("alice")).isEmpty)
            #expect(try chat.read { try $0[Chat.drafts].count } == 0)
        }
    }

    @Test func numbersStandBesideConversationsAndStay() async throws {
        try await withScreenChat { chat in
            for name in ["bob", "carol"] { try chat.write { try $0.join(name, at: Date()) } }
            let screen = try TestScreen(chat, with: "bob")
            try await screen.shows("○ bob Alt-2")
            #expect(screen.lines().contains { $0.contains("○ carol Alt-3") })
            // Carol comes first now, and keeps her number.
            try chat.say("hi", by: "carol", in: Conversation("alice", "carol"))
            try await screen.shows("○ carol Alt-3")
            screen.press(.key(.character("3"), .alt))
            #expect(screen.program.state.composer.conversation == Conversation("alice", "carol").id)
            screen.press(.key(.character("9"), .alt))
            #expect(screen.lines().contains { $0.contains("No conversation has the number 9.") })
            try await screen.until("The numbers are stored") {
                try chat.read { try $0[Chat.settings]["alice"]?.numbers?.count } == 3
            }
            // The next start finds another order, and the same numbers.
            let again = try TestScreen(chat)
            try await again.shows("○ carol Alt-3")
            #expect(again.lines().contains { $0.contains("○ bob Alt-2") })
            again.type("/quiet")
            again.press(.key(.enter))
            try await again.until("The settings are stored") {
                try chat.read { try $0[Chat.settings]["alice"]?.settings.isQuiet } == true
            }
            #expect(try chat.read { try $0[Chat.settings]["alice"]?.numbers?["alice&carol"] } == 3)
        }
    }

    /// What does not fit in the last line stays beside the roster.
    @Test func aLongNoticeStaysInItsPane() async throws {
        try await withScreenChat { chat in
            try chat.write { try $0.join("bob", at: Date()) }
            let screen = try TestScreen(chat, with: "bob")
            let text =
                "A notice that is so long that the last line of the screen has no room for all of it, as some are."
            screen.program.show(notice: text)
            let lines = screen.lines()
            let first = try #require(lines.firstIndex { $0.contains("A notice") })
            #expect(lines[2..<lines.count - 2].allSatisfy { $0.dropFirst(24).first.map { "│├".contains($0) } ?? false })
            let shown = lines[first...].prefix(2).map { String($0.dropFirst(25)).trimmed }.joined(separator: " ")
            #expect(shown == text)
        }
    }

    @Test func aReactionIsChosenByName() async throws {
        try await withScreenChat { chat in
            let said = try chat.say("done", by: "bob", in: pair)
            let screen = try TestScreen(chat, with: "bob")
            try await screen.shows("done")
            for (typed, emoji) in [("", "👍"), ("tad", "🎉"), (":heart:", "❤️"), ("🚀", "🚀"), ("🇩🇪", "🇩🇪"), ("1️⃣", "1️⃣")] {
                screen.press(.key(.tab, .shift), .key(.character("+")))
                #expect(screen.lines().contains { $0.contains("react:") })
                screen.type(typed)
                screen.press(.key(.enter))
                try await screen.until("\(emoji) is there") {
                    let reactions = try chat.read { try $0[Chat.messages][said.id]?.reactions } ?? [:]
                    return reactions.keys.contains { $0.unicodeScalars.first == emoji.unicodeScalars.first }
                }
                screen.press(.key(.escape))
            }
            screen.press(.key(.tab, .shift), .key(.character("+")))
            screen.type("no such thing")
            screen.press(.key(.enter))
            #expect(screen.lines().contains { $0.contains("There is no emoji") })
        }
    }

    @Test(arguments: ["/to bbo", "/invite bbo", "/msg bbo hi", "/kick bbo"])
    func aSlipMakesNoPersonAndStaysToBeMended(line: String) async throws {
        try await withScreenChat { chat in
            try chat.write { try $0.join("bob", at: Date()) }
            try chat.write { try $0.join(.room("tea"), "alice") }
            let screen = try TestScreen(chat, with: "#tea")
            try await screen.shows("alice joined")
            screen.type(line)
            screen.press(.key(.enter))
            #expect(screen.lines().contains { $0.contains("\"bbo\" has never been in this chat. Did you mean bob?") })
            #expect(screen.program.state.composer.field.text == line)
            #expect(try chat.read { try $0[Chat.people].keys() }.sorted() == ["alice", "bob"])
        }
    }

    /// As where no seat can be decoded.
    @Test func withoutARosterNothingIsUnread() async throws {
        try await withScreenChat { chat in
            let screen = try TestScreen(chat)
            screen.program.state.roster = []
            screen.press(.key(.character("a"), .alt))
            #expect(screen.lines().contains { $0.contains("Nothing else is unread.") })
        }
    }

    /// Only /join makes a room.
    @Test(arguments: ["/to", "/msg"]) func aRoomThatDoesNotExistIsNotMade(command: String) async throws {
        try await withScreenChat { chat in
            try chat.write { try $0.join(.room("tea"), "bob") }
            let screen = try TestScreen(chat)
            for (room, hint) in [("#tee", "Did you mean #tea?"), ("#garden", "/join #garden makes it.")] {
                let line = "\(command) \(room)" + (command == "/msg" ? " hi" : "")
                screen.type(line)
                screen.press(.key(.enter))
                #expect(screen.lines().contains { $0.contains("There is no room \(room). \(hint)") })
                #expect(screen.program.state.composer.field.text == line)
                screen.press(.key(.character("c"), .control))
            }
            #expect(try chat.read { try $0[Chat.rooms].keys() } == ["#tea"])
        }
    }

    @Test func aMessageIsSentInALine() async throws {
        try await withScreenChat { chat in
            try chat.write { try $0.join("bob", at: Date()) }
            try chat.write { try $0.join(.room("tea"), "bob") }
            let screen = try TestScreen(chat)
            screen.type("/msg bob hi there")
            screen.press(.key(.enter))
            try await screen.shows("▎ hi there ✓")
            #expect(try chat.texts(pair) == ["hi there"] && screen.program.state.composer.conversation == pair.id)
            screen.type("/msg #tea hi")
            screen.press(.key(.enter))
            #expect(screen.lines().contains { $0.contains("You are not in #tea") })
        }
    }

    @Test func roomsAreFoundAndMembersTakenOut() async throws {
        try await withScreenChat { chat in
            try chat.write { try $0.join("bob", at: Date()) }
            try chat.write { try $0.join(.room("tea"), "bob") }
            try chat.write { try $0.setTopic("green", of: .room("tea"), by: "bob") }
            let screen = try TestScreen(chat, with: "bob")
            try await screen.shows("alice")
            screen.type("/list")
            screen.press(.key(.enter))
            #expect(screen.lines().contains { $0.contains("▌#tea  1 member  green") })
            screen.press(.key(.escape))
            screen.type("/join #")
            screen.press(.key(.tab))
            #expect(screen.program.state.composer.field.text == "/join #tea ")
            screen.press(.key(.character("c"), .control))
            screen.press(.key(.character("k"), .control))
            screen.type("te")
            screen.press(.key(.enter))
            try await screen.shows("alice joined")
            screen.type("/kick bob")
            screen.press(.key(.enter))
            try await screen.shows("alice removed bob")
            #expect(try chat.read { try $0.members(of: .room("tea")) } == ["alice"])
            #expect(try chat.read { try $0.seat(of: "bob", in: "#tea") } == nil)
        }
    }

    @Test func aRoomOfTheListIsEntered() async throws {
        try await withScreenChat { chat in
            let screen = try TestScreen(chat, with: "bob")
            screen.type("/list")
            screen.press(.key(.enter))
            #expect(screen.lines().contains { $0.contains("There is no room yet: /join #NAME makes one.") })
            for name in ["one", "two"] { try chat.write { try $0.join(.room(name), "bob") } }
            try chat.write { try $0.join(.room("two"), "alice") }
            try await screen.shows("▪ #two")
            screen.type("/list")
            screen.press(.key(.enter))
            #expect(screen.lines().contains { $0.contains(" #two  2 members, you too") })
            // One is entered, the other one is opened.
            screen.press(.key(.enter))
            try await screen.shows("alice joined")
            #expect(screen.program.state.composer.conversation == "#one")
            screen.type("/list")
            screen.press(.key(.enter), .key(.down), .key(.enter))
            #expect(screen.program.state.composer.conversation == "#two")
            // One that is not there is made.
            screen.type("/list")
            screen.press(.key(.enter))
            screen.type("three")
            screen.press(.key(.enter))
            try await screen.shows("▪ #three")
            #expect(try chat.texts(.room("two")).filter { $0 == "alice joined" }.count == 1)
        }
    }

    @Test func oneWhoWasNeverHereKeepsNothingUnread() async throws {
        try await withScreenChat { chat in
            try chat.write { try $0.join("bob", at: Date()) }
            try chat.write { try $0.join(.room("tea"), "alice") }
            try chat.write { try $0.enter(.room("tea"), "bob") }
            // As earlier releases made of a slip.
            try chat.write { try $0.invite("i22", to: .room("tea"), by: "alice") }
            let screen = try TestScreen(chat, with: "#tea")
            screen.type("hello")
            screen.press(.key(.enter))
            try await screen.shows("▎ hello ✓")
            #expect(!screen.lines().contains { $0.contains("✓✓") })
            let last = try #require(try chat.read { try $0.last(in: .room("tea")) { _ in true } })
            try chat.write { try $0.markRead(by: "bob", in: "#tea", upTo: last.position) }
            try await screen.shows("▎ hello ✓✓")
            try chat.write { try $0.react("+1", to: last.id, by: "bob") }
            try await screen.shows("+1 1")
            screen.press(.key(.tab, .shift), .key(.character("w")))
            try await screen.shows("Read by  bob")
            #expect(screen.lines().contains { $0.contains("Not yet  i22") })
            #expect(screen.lines().contains { $0.contains("+1  bob") })
        }
    }

    /// What is typed over a text that was shown is not lost, as its first character once was.
    @Test func whatIsTypedOverATextGoesIntoTheLine() async throws {
        try await withScreenChat { chat in
            let screen = try TestScreen(chat, with: "bob")
            screen.type("/nonsense")
            screen.press(.key(.enter), .key(.character("e"), .alt))
            try await screen.shows(" Esc ")
            screen.type("/join #tea")
            try await screen.shows("› /join #tea")
            // A command that failed stays to be mended, and another one takes its place.
            screen.press(.key(.enter))
            try await screen.shows("#tea")
            screen.type("/msg nobody hello")
            screen.press(.key(.enter))
            try await screen.shows("› /msg nobody hello")
            screen.type("/who")
            try await screen.shows("› /who")
        }
    }

    /// A number leads to the line, where one writes.
    @Test func aNumberLeadsToTheLine() async throws {
        try await withScreenChat { chat in
            let screen = try TestScreen(chat, with: "bob")
            screen.press(.key(.tab))
            screen.press(.key(.tab))
            screen.press(.key(.character("1"), .alt))
            screen.type("hello")
            try await screen.shows("› hello")
        }
    }
}
