import Foundation

/// A text that was sent and is not in the file yet.
struct Sending: Codable, Hashable, Sendable {
    /// Seconds after which a pending commit is shown.
    static let patience = 0.3

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
    /// Whether it is kept outside of this process, so that it is to be sent only as long as it is.
    var isKept = false

    private enum CodingKeys: String, CodingKey {
        case id, person, conversation, draft, kind, date, failure
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
