/// A line of text for one conversation that is not stored yet.
struct Draft: Hashable, Sendable {
    var text = ""
    /// The id of the message being edited; nil for a new one.
    var edited: String?
    /// Whether it was sent and its commit failed.
    var isUnsent = false
}

/// A line whose commit is pending.
struct Sending: Hashable, Sendable {
    /// Seconds after which a pending commit is reported.
    static let patience = 0.3

    var draft: Draft
    var buddy: String
    var start: Double
}
