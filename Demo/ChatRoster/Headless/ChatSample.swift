import Foundation
import LiveTable

/// A file with a long conversation, for measurements.
package enum ChatSample {
    /// Makes a chat of alice and bob with so many messages, which both have read; message n says `number n of all`.
    package static func make(_ url: URL, messages: Int) throws {
        let chat = try ChatDatabase(url: url, as: "alice")
        let pair = Conversation("alice", "bob")
        let start = Date(timeIntervalSinceNow: -Double(messages) * 30)
        var last = Position.start
        for first in stride(from: 0, to: messages, by: 10_000) {
            try chat.writer.readWrite { transaction in
                if first == 0 { try transaction.join("bob", at: start) }
                for number in first..<min(messages, first + 10_000) {
                    let message = Message(
                        "number \(number) of \(messages): the window should stay put when older rows come in above",
                        in: pair, by: number.isMultiple(of: 3) ? "alice" : "bob",
                        date: start.addingTimeInterval(Double(number) * 30))
                    try transaction[Chat.messages].save(message)
                    last = message.position
                }
            }
        }
        try chat.writer.readWrite { transaction in
            for name in ["alice", "bob"] { try transaction.markRead(by: name, in: pair.id, upTo: last) }
        }
        try chat.close()
    }
}
