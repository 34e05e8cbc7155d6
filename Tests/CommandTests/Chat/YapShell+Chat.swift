import Foundation
import LiveTable

@testable import ChatRoster

extension YapShell {
    /// The chat of the file `chat.sqlite` in a folder, once it is on the screen.
    static func chat(in folder: URL, script: String = "none", environment: String = "") async throws -> YapShell {
        let shell = try await YapShell("chat --db \(folder.path)/chat.sqlite --seed 7 --script \(script)", width: 80)
        try shell.start(environment: environment)
        try await shell.shows("yap chat", "AVAILABLE")
        return shell
    }

    /// The chat with a history of `number 0 of 400` and so on.
    static func withChat(messages: Int, _ body: (YapShell) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let chat = try ChatDatabase(url: folder.appending(path: "chat.sqlite"))
            let now = Date()
            let all = (0..<messages).map { number in
                Message(
                    id: "\(number)", conversation: "bob", isMine: false, text: "number \(number) of \(messages)",
                    date: now.addingTimeInterval(Double(number - messages)))
            }
            try chat.populate(Cast.buddies(now: now), all)
            try chat.close()
            try await body(try await .chat(in: folder))
        }
    }

    /// Waits until the last line that is not empty has a text.
    func hints(_ text: String) async throws {
        try await wait(for: "\"\(text)\" in the last line") { $0.last { !$0.isEmpty }?.contains(text) == true }
    }
}
