import Foundation
import LiveTable

@testable import ChatRoster

extension YapShell {
    /// The chat of the file `chat.sqlite` in a folder, as one person, once it is on the screen.
    static func chat(
        in folder: URL, as name: String = "alice", with other: String? = "Bob", _ arguments: String = "",
        width: Int = 80,
        height: Int = 24, environment: String = ""
    ) async throws -> YapShell {
        let with = other.map { "--with '\($0)'" } ?? ""
        let shell = try await YapShell(
            "chat --db \(folder.path)/chat.sqlite --seed 7 --as \(name) \(with) \(arguments)", width: width,
            height: height)
        try shell.start(environment: environment)
        try await shell.wait(for: "The composer") { $0.contains { $0.contains("›") } }
        return shell
    }

    /// Alice's chat with Bob, with a history of `number 0 of 400` and so on.
    static func withChat(messages: Int, _ body: (YapShell) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try fillChat(in: folder, messages: messages)
            try await body(try await .chat(in: folder))
        }
    }

    /// Writes a history that both have read.
    static func fillChat(in folder: URL, messages: Int, with others: [String] = ["Carol"]) throws {
        let chat = try ChatDatabase(url: folder.appending(path: "chat.sqlite"), as: "alice")
        let pair = Conversation("alice", "Bob")
        let now = Date()
        let all = (0..<messages).map { number in
            Message(
                "number \(number) of \(messages)", in: pair, by: "Bob", id: "bob-\(number)",
                date: now.addingTimeInterval(Double(number - messages)))
        }
        try chat.writer.syncReadWrite { transaction in
            for name in ["Bob"] + others { try transaction.join(name, at: now) }
            for message in all { try transaction[Chat.messages].save(message) }
            guard let last = all.last else { return }
            for name in ["alice", "Bob"] { try transaction.markRead(by: name, in: pair.id, upTo: last.position) }
        }
        try chat.close()
    }

    /// Waits until the last line that is not empty has a text.
    func hints(_ text: String) async throws {
        try await wait(for: "\"\(text)\" in the last line") { $0.last { !$0.isEmpty }?.contains(text) == true }
    }

    /// Waits until the composer has a text.
    func composer(_ text: String) async throws {
        try await wait(for: "\"\(text)\" in the line") { lines in
            let shown = lines.filter { !$0.isEmpty }
            // Above the hints, and on a high screen above a rule.
            return shown.suffix(3).contains { $0.contains(text) }
        }
    }
}
