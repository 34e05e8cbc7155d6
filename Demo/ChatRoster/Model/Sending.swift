import Foundation

/// A text that was sent and is not in the file yet.
struct Sending: Codable, Hashable, Sendable {
    /// Seconds after which a pending commit is shown.
    static let patience = 0.3
    /// The most bytes of a stored text with what belongs to it: characters are limited, and a character may have many.
    static let maxBytes = 16 << 20

    enum State {
        case waiting
        case onItsWay
        /// Nothing but a change of the text or the conversation helps.
        case refused
    }

    /// The id that the message gets: it is stored once under it, by any process that sends it.
    let id: String
    let person: String
    let conversation: String
    var draft: Draft
    var kind: Message.Kind?
    /// When it was written.
    var date: Date
    /// Why it was not sent.
    var failure: String?

    var state = State.waiting
    var start = 0.0
    /// Whether it is stored in the chat's file or a file of its own. Then it is sent only if it is still there: it
    /// may have been sent or taken back by another process.
    var isKept = false

    private enum CodingKeys: String, CodingKey {
        case id, person, conversation, draft, kind, date, failure
    }

    /// What was typed, so that Enter sends the same again. A change that was refused comes back as a new message: the other one may be gone.
    var asTyped: Draft {
        let edited = state == .refused ? nil : draft.edited
        let text =
            kind == .action
            ? "/me \(draft.text)" : edited == nil && draft.text.hasPrefix("/") ? "/" + draft.text : draft.text
        return Draft(text: text, edited: edited, reply: draft.reply)
    }

    /// The text that cannot be sent as it is, with the reason.
    func refused(_ reason: String) -> Sending {
        var sending = self
        (sending.state, sending.failure) = (.refused, reason)
        return sending
    }

    /// Where it is kept in the file.
    var key: String { "\(Seat.key(person, conversation))/\(id)" }
}
