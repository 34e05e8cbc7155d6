import Foundation

/// Somebody on the roster. Stored in the collection ``Buddy/collection`` under ``id``.
struct Buddy: Codable, Hashable, Sendable {
    static let collection = "buddies"

    let id: String
    var name: String
    var presence: Presence
    /// What the buddy says about it; empty is fine.
    var status: String
    /// When the buddy was last there.
    var lastSeen: Date
    /// Messages that nobody has looked at yet.
    var unread = 0
    var isTyping = false
}

/// The groups of the roster, in the order of the screen.
enum Presence: String, Codable, CaseIterable, Sendable {
    case available
    case away
    case offline
}
