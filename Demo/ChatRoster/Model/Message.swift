import Foundation

/// One message. Stored in the collection ``Message/collection`` under ``id``.
struct Message: Codable, Hashable, Sendable {
    static let collection = "messages"

    let id: String
    /// The id of the buddy whose conversation this is.
    let conversation: String
    /// Whether the user of this terminal wrote it.
    let isMine: Bool
    var text: String
    let date: Date
    var isEdited = false
    /// Whether the buddy has read it; nil in older files.
    var isSeen: Bool?
}
