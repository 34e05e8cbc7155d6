import Foundation

/// A person on the roster. Stored in the collection ``Buddy/collection`` under ``id``.
struct Buddy: Codable, Hashable, Sendable {
    static let collection = "buddies"

    let id: String
    var name: String
    var presence: Presence
    /// The buddy's status text; may be empty.
    var status: String
    /// When the buddy was last online.
    var lastSeen: Date
    /// The number of messages that the user has not seen yet.
    var unread = 0
    var isTyping = false
}

/// The groups of the roster, in the order of the screen.
enum Presence: String, Codable, CaseIterable, Sendable {
    case available
    case away
    case offline
}
