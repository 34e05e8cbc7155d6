import Foundation
import LiveTable
import TerminalTesting
import Testing

@testable import ChatRoster

/// Two processes, one of which had a clock that was ten years ahead, or behind, for a moment.
@Suite(.serialized) struct ChatClockTests {
    private static let decade = 315_360_000

    @Test(arguments: [decade, -decade]) func aWrongClockDatesItsOwnMessageAlone(ahead: Int) async throws {
        try await withTemporaryFolder { folder in
            let start = Date()
            let bob = try await YapShell.chat(in: folder, as: "bob", with: "alice")
            let alice = try await YapShell.chat(in: folder, as: "alice", with: "bob")
            try await bob.press("the first", "Enter")
            try await alice.shows("the first")
            try await leave(alice)
            let wrong = try await YapShell.chat(
                in: folder, as: "alice", with: "bob", environment: "YAP_CLOCK_AHEAD=\(ahead)")
            try await wrong.press("the second", "Enter")
            try await bob.shows("the second")
            try await leave(wrong)
            let again = try await YapShell.chat(in: folder, as: "alice", with: "bob")
            try await again.press("the third", "Enter")
            try await bob.shows("the third")
            try await bob.press("the fourth", "Enter")
            for chat in [bob, again] {
                try await chat.shows("the first", "the second", "the third", "the fourth")
                let lines = try chat.tmux.lines()
                #expect(lines.count { $0.contains("(a wrong clock)") } == 1)
                // One day's heading.
                let year = Calendar.current.component(.year, from: start.addingTimeInterval(Double(ahead)))
                #expect(lines.count { $0.contains("\(year)") } == 1, "\(lines.joined(separator: "\n"))")
            }
            try await bob.shows("the fourth ✓✓")
            for chat in [bob, again] { try await leave(chat) }
            let chat = try ChatDatabase(url: folder.appending(path: "chat.sqlite"), as: "bob", joins: false)
            let messages = try await chat.database.newConnection().read { transaction in
                try transaction[Chat.conversations].values(in: Conversation("alice", "bob").id)
            }
            #expect(messages.map(\.text) == ["the first", "the second", "the third", "the fourth"])
            #expect(messages.allSatisfy { $0.date < start.addingTimeInterval(Moment.bound + 3_600) })
            #expect(messages.map { abs($0.time.timeIntervalSince(start)) > 86_400 } == [false, true, false, false])
            try chat.close()
            #expect(try YapDatabase.check(url: folder.appending(path: "chat.sqlite")) == [])
        }
    }

    private func leave(_ chat: YapShell) async throws {
        try await chat.press("C-c")
        try await chat.expectEnd(exitCode: 0)
    }
}
