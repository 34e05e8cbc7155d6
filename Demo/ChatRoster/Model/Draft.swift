import Foundation

/// What a person has written in a conversation and not sent.
struct Draft: Codable, Hashable, Sendable {
    var text = ""
    /// The message that is being changed; nil for a new one.
    var edited: String?
    var reply: Message.Quote?
    /// What was being written when the editing began, and what that answers.
    var waiting: String?
    var waitingReply: Message.Quote?

    var isEmpty: Bool {
        text.isEmpty && edited == nil && reply == nil && (waiting ?? "").isEmpty && waitingReply == nil
    }
}

/// What the file keeps of a person besides messages: where the chat was left, and how to be told.
struct Settings: Codable, Hashable, Sendable {
    /// The conversation that was open last.
    var open: String?
    var bell = true
    var title = true
    /// Notifications of the terminal, where it has them.
    var notify = true
    /// Do not disturb: nothing of the above.
    var isQuiet = false
}
