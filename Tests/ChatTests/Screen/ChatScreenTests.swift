import Foundation
import LiveTable
import TestSupport
import Testing

@testable import ChatRoster

/// What the chat does with its file and its tables, without a terminal.
@MainActor @Suite struct ChatScreenTests {
    private let pair = Conversation("alice", "bob")

    @Test func whatIsOnTheScreenIsReadAndNothingElse() async throws {
        try await withScreenChat { chat in
            for number in 0..<100 { try chat.say("number \(number)", by: "bob", in: pair) }
            let screen = try TestScreen(chat, with: "bob")
            // More is unread than fits: the first unread message is at the top.
            try await screen.shows("number 0")
            #expect(!screen.lines().contains { $0.contains("number 99") })
            try await screen.until("The messages on the screen are read") {
                let unread = try chat.row("alice", pair).unread
                return unread < 100 && unread > 50
            }
            screen.press(.key(.character("g"), .alt))
            try await screen.until("All are read") { try chat.row("alice", pair).unread == 0 }
        }
    }

    /// Nothing is written, and nothing wakes the program for most of a minute.
    @Test func aChatAtRestDoesNothing() async throws {
        try await withScreenChat { chat in
            let screen = try TestScreen(chat, with: "bob")
            try await screen.shows("alice")
            try await screen.until("The sign of life is given") {
                try chat.read { try $0[Chat.presence].count == 1 } && screen.program.pulse.next != nil
            }
            try await screen.until("The screen is at rest") {
                screen.program.nextTime.map { $0 > EventLoop.monotonicSeconds() + Heartbeat.periodWithLock / 2 } ?? true
            }
            let snapshot = chat.database.snapshot
            for _ in 0..<20 { _ = screen.lines() }
            #expect(chat.database.snapshot == snapshot)
            // A program that took the chat for dead, as one of an earlier release does, is contradicted.
            let sign = try #require(try chat.read { try $0[Chat.presence].values().first })
            try chat.write { try $0.end([sign], at: Date()) }
            try await screen.until("The sign is given again") { try chat.read { try $0[Chat.presence].count == 1 } }
        }
    }

    @Test func whatComesWithoutTheKeyboardIsUnread() async throws {
        try await withScreenChat { chat in
            try chat.say("one", by: "bob", in: pair)
            let screen = try TestScreen(chat, with: "bob")
            try await screen.until("It is read") {
                _ = screen.lines(); return try chat.row("alice", pair).unread == 0
            }
            screen.press(.focus(false))
            try chat.say("two", by: "bob", in: pair)
            try await screen.shows("two")
            // Nothing tells that it is not read: longer than a frame and a commit.
            try await Task.sleep(for: .milliseconds(100))
            _ = screen.lines()
            #expect(try chat.row("alice", pair).unread == 1)
            screen.press(.focus(true))
            try await screen.shows("─ new ─")
            try await screen.until("It is read") {
                _ = screen.lines(); return try chat.row("alice", pair).unread == 0
            }
            // One who answers has seen what is new.
            screen.type("three")
            screen.press(.key(.enter))
            try await screen.shows("▎ three ✓")
            try await screen.shows("─ new ─", false)
        }
    }

    @Test func historyIsLoadedWhileTheTextStandsStill() async throws {
        try await withScreenChat { chat in
            let messages = (0..<300).map { number in
                Message("number \(number).", in: pair, by: "bob", date: Date(timeIntervalSince1970: Double(number)))
            }
            try chat.write { transaction in
                try transaction.join("bob", at: Date())
                for message in messages { try transaction[Chat.messages].save(message) }
                try transaction.markRead(by: "alice", in: pair.id, upTo: messages[299].position)
            }
            let screen = try TestScreen(chat, with: "bob")
            try await screen.shows("number 299.")
            var last = 300
            for _ in 0..<40 {
                let lines = screen.lines()
                let numbers = lines.compactMap { $0.firstMatch(of: /number (\d+)\./).flatMap { Int($0.1) } }
                // Every message is seen, in order.
                #expect(numbers == Array(numbers[0]...numbers[numbers.count - 1]))
                #expect(numbers[numbers.count - 1] >= last - 1, "\(lines)")
                last = numbers[0]
                if last == 0 { break }
                screen.press(.key(.pageUp))
            }
            #expect(last == 0 && screen.lines().contains { $0.contains("The beginning of bob") })
        }
    }

    @Test func aSentMessageIsThereAndIsEditedInItsPlace() async throws {
        try await withScreenChat { chat in
            let screen = try TestScreen(chat, with: "bob")
            screen.type("hello")
            screen.press(.key(.enter))
            try await screen.shows("▎ hello ✓")
            screen.type("half a thought")
            screen.press(.key(.tab, .shift), .key(.character("e")))
            try await screen.shows("edit: hello")
            screen.type("!")
            screen.press(.key(.enter))
            try await screen.shows("▎ hello! (edited) ✓")
            #expect(screen.program.state.composer.field.text == "half a thought")
        }
    }

    @Test func aDraftIsStoredAMomentAfterTheLastKey() async throws {
        try await withScreenChat { chat in
            let screen = try TestScreen(chat, with: "bob")
            screen.type("half")
            try await screen.until("The draft") {
                _ = screen.lines()
                return try chat.read { try $0[Chat.drafts][Seat.key("alice", pair.id)]?.draft.text } == "half"
            }
            let again = try TestScreen(chat)
            #expect(again.program.state.composer.field.text == "half")
        }
    }

    @Test func commandsMakeRoomsAndTopics() async throws {
        try await withScreenChat { chat in
            let screen = try TestScreen(chat)
            screen.type("/join #tea")
            screen.press(.key(.enter))
            try await screen.shows("alice joined")
            screen.type("/topic green")
            screen.press(.key(.enter))
            try await screen.shows("#tea  · green")
            screen.type("/leave")
            screen.press(.key(.enter))
            try await screen.shows("You have left #tea")
            try await screen.shows("▪ #tea", false)
            screen.type("/invite bob")
            screen.press(.key(.enter))
            try await screen.shows("This is not a room")
        }
    }

    @Test func aSearchSelectsTheNewestMatchAndOpensIt() async throws {
        try await withScreenChat { chat in
            for number in 0..<200 {
                try chat.say("number \(number).", by: "bob", in: number == 7 ? .room("tea") : pair)
            }
            let screen = try TestScreen(chat, with: "bob")
            screen.press(.key(.character("r"), .control))
            screen.type("num")
            try await screen.shows("200 found")
            try await screen.until("The newest, selected") {
                screen.lines().contains { $0.contains("▌  number 199.") }
            }
            screen.press(.key(.character("r"), .control))
            try await screen.shows("▌  number 198.")
            screen.type("ber 3")
            try await screen.shows("11 found")
            screen.type("3")
            try await screen.shows("▌  number 33.")
            // What comes now is found too.
            try chat.say("number 33 again", by: "bob", in: pair)
            try await screen.shows("2 found")
            screen.press(.key(.enter))
            try await screen.shows("▌  number 33")
            #expect(screen.program.state.focus == .messages && screen.program.state.prompt == nil)
        }
    }

    /// Another program holds the file for writing, as a full disk or a server that is away keep it from being written.
    @Test func aFileThatCannotBeWrittenIsSearched() async throws {
        try await withScreenChat { chat in
            for number in 0..<20 { try chat.say("number \(number).", by: "bob", in: pair) }
            let screen = try TestScreen(chat, with: "bob")
            try await screen.shows("number 0.")
            let (begun, ends) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let other = try chat.database.newConnection()
            other.asyncReadWrite { _ in
                begun.signal()
                ends.wait()
            }
            begun.wait()
            defer { ends.signal() }
            screen.press(.key(.character("r"), .control))
            screen.type("num")
            #expect(screen.lines().contains { $0.contains("searching…") || $0.contains("20 found") })
            try await screen.shows("20 found")
            try await screen.shows("▌  number 19.")
        }
    }

    @Test func aTextOfSeveralLinesIsWrittenHereOrInAnEditor() async throws {
        try await withScreenChat { chat in
            let screen = try TestScreen(chat, with: "bob")
            screen.type("one")
            screen.press(.key(.enter, .alt))
            screen.type("two")
            screen.press(.key(.character("x"), .control), .key(.character("e"), .control))
            #expect(screen.program.state.composer.field.text == "one\ntwo\nedited")
            #expect(screen.lines().contains { $0.contains("› one") })
            screen.press(.key(.enter))
            try await screen.shows("▎ edited ✓")
            #expect(screen.lines().contains { $0.contains("▎ one") })
        }
    }

    @Test func theCursorFollowsTheSelection() async throws {
        try await withScreenChat { chat in
            try chat.say("one", by: "bob", in: pair)
            let screen = try TestScreen(chat, with: "bob")
            _ = screen.lines()
            screen.press(.key(.tab))
            let grid = screen.grid()
            let cursor = try #require(grid.cursor)
            #expect(grid.text(ofLine: cursor.y).hasPrefix("▌"))
        }
    }

    /// Also where there are no colours, or few, or the background is not known.
    @Test(arguments: [
        Theme(depth: .monochrome), Theme(depth: .eight, background: .unknown), Theme(background: .unknown),
    ])
    func oneSeesWhereTheKeysGo(theme: Theme) async throws {
        try await withScreenChat { chat in
            try chat.say("one", by: "bob", in: pair)
            let screen = try TestScreen(chat, with: "bob", theme: theme)
            try await screen.shows("one")
            @MainActor func reversed(_ columns: Range<Int>) -> Int {
                let grid = screen.grid()
                return (2..<20).count { y in columns.allSatisfy { grid[$0, y].style.attributes.contains(.reverse) } }
            }
            #expect(reversed(4..<20) == 0 && reversed(30..<70) == 0)
            screen.press(.key(.tab))
            #expect(reversed(4..<20) == 1 && reversed(30..<70) == 0)
            screen.press(.key(.tab))
            #expect(reversed(4..<20) == 0 && reversed(30..<70) > 0)
        }
    }

    @Test func whatIsMutedOrOnTheScreenTellsNothing() async throws {
        try await withScreenChat { chat in
            try chat.write { try $0.join("bob", at: Date()) }
            let screen = try TestScreen(chat)
            _ = screen.lines()
            try chat.say("psst", by: "bob", in: pair)
            _ = screen.lines()
            #expect(screen.program.notified.map(\.title) == ["bob"])
            #expect(
                screen.bells == 1 && screen.notifications == ["bob: psst"] && screen.title == "(1) Notes - yap chat")
            _ = try chat.write { try $0[Chat.seats].update(Seat.key("alice", pair.id)) { $0.isMuted = true } }
            try chat.say("psst", by: "bob", in: pair)
            _ = screen.lines()
            #expect(screen.program.notified.count == 1)
        }
    }
}
