import Foundation
import LiveTable
import TestSupport
import Testing

@testable import ChatRoster

/// Whole screens as text. `YAP_WRITE_SCREENS=1` writes them again.
@MainActor @Suite struct ScreenTextTests {
    private static let isWriting = ProcessInfo.processInfo.environment["YAP_WRITE_SCREENS"] != nil

    @Test(arguments: [(80, 24), (120, 40), (200, 50), (40, 12), (20, 6)])
    func theScreenIsWhatItWas(width: Int, height: Int) async throws {
        try await withScreenChat { chat in
            try Self.fill(chat)
            let screen = try TestScreen(chat, with: "bob", width: width, height: height)
            _ = screen.lines()
            screen.press(.key(.character("g"), .alt))
            try await screen.until("All is read") {
                try chat.row("alice", Conversation("alice", "bob")).unread == 0
            }
            let file = repository.appending(path: "Tests/Files/Screens/chat-\(width)x\(height).txt")
            let shown = screen.lines().map { Self.withoutTimes($0) }.joined(separator: "\n") + "\n"
            if Self.isWriting {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try shown.write(to: file, atomically: true, encoding: .utf8)
            }
            #expect(try String(contentsOf: file, encoding: .utf8) == shown)
        }
    }

    /// A time depends on the time zone, the presence of alice on the moment.
    private static func withoutTimes(_ line: String) -> String {
        var text = line.replacing(/\d\d:\d\d/, with: "12:00")
        while text.last == " " { text.removeLast() }
        return text
    }

    private static func fill(_ chat: ChatDatabase) throws {
        let noon = Date(timeIntervalSince1970: 1_478_347_200)
        let pair = Conversation("alice", "bob")
        try chat.write { transaction in
            for name in ["bob", "carol", "dan", "eve"] { try transaction.join(name, at: noon) }
            try transaction.join(.room("tea"), "alice")
            for name in ["bob", "carol"] { try transaction.invite(name, to: .room("tea"), by: "alice") }
            try transaction.setTopic("green or black", of: .room("tea"), by: "carol")
            for name in ["bob", "dan"] { try transaction.set(.available, away: nil, of: name, at: noon) }
            try transaction.setAway("back in 10", of: "carol", at: noon)
        }
        let lines: [(String, String)] = [
            ("bob", "You there?"), ("bob", "Done coding yet??"), ("alice", "Almost. One test left."),
            ("bob", "The one with the flexible range?"),
            (
                "alice",
                "Yes. The window should stay put when older rows come in above, and it did not: "
                    + "see https://example.org/range and the second paragraph."
            ),
            ("bob", "It passes here :)"),
        ]
        var sent: [Message] = []
        for (number, line) in lines.enumerated() {
            let date = noon.addingTimeInterval(Double(number) * 400)
            sent.append(try chat.say(line.1, by: line.0, in: pair, at: date))
        }
        var answer = Message("The second.", in: pair, by: "alice", date: noon.addingTimeInterval(3000))
        answer.reply = Message.Quote(id: sent[3].id, author: "bob")
        try chat.write { transaction in
            try transaction.append(answer)
            try transaction.react("+1", to: sent[5].id, by: "alice")
            try transaction.markRead(by: "bob", in: pair.id, upTo: sent[4].position)
            try transaction.append(Message("@alice tea?", in: .room("tea"), by: "bob", date: noon))
        }
    }
}
