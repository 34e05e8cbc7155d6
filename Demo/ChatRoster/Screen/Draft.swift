/// A line of text for one conversation that is not stored yet.
struct Draft: Hashable, Sendable {
    var text = ""
    /// The id of the message that it changes; nil for a new one.
    var edited: String?
    /// It was sent, and the commit failed.
    var isUnsent = false
}

/// A line on its way into the database.
struct Sending: Hashable, Sendable {
    /// A commit that takes longer is told of, in seconds.
    static let patience = 0.3

    var draft: Draft
    var buddy: String
    var start: Double
}
