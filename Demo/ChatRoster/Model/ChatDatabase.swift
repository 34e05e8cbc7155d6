import Foundation
import LiveTable

/// The chat's file: two collections of rows and two views of them.
///
/// `roster` groups buddies by presence and sorts them by name; `messages` groups messages by conversation and sorts
/// them by date. Each event of the chat is one of the transactions below.
final class ChatDatabase: Sendable {
    static let rosterView = "roster"
    static let messagesView = "messages"

    let database: YapDatabase
    let writer: YapDatabaseConnection

    init(url: URL) throws {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        var options = YapDatabaseOptions()
        // The screen reads `commits`.
        options.postsNotifications = false
        database = try YapDatabase(url: url, options: options)
        database.registerCodableSerialization(Buddy.self, forCollection: Buddy.collection)
        database.registerCodableSerialization(Message.self, forCollection: Message.collection)
        try database.register(Self.roster(), withName: Self.rosterView)
        try database.register(Self.messages(), withName: Self.messagesView)
        writer = try database.newConnection()
    }

    private static func roster() -> YapDatabaseAutoView {
        let options = YapDatabaseViewOptions()
        options.allowedCollections = YapWhitelistBlacklist(whitelist: [Buddy.collection])
        return YapDatabaseAutoView(
            grouping: .withObjectBlock { _, _, _, object in (object as? Buddy)?.presence.rawValue },
            sorting: .withObjectBlock { _, _, _, key1, object1, _, key2, object2 in
                guard let a = object1 as? Buddy, let b = object2 as? Buddy else { return key1.order(against: key2) }
                return a.name == b.name ? a.id.order(against: b.id) : a.name.order(against: b.name)
            },
            versionTag: "1", options: options)
    }

    private static func messages() -> YapDatabaseAutoView {
        let options = YapDatabaseViewOptions()
        options.allowedCollections = YapWhitelistBlacklist(whitelist: [Message.collection])
        return YapDatabaseAutoView(
            grouping: .withObjectBlock { _, _, _, object in (object as? Message)?.conversation },
            sorting: .withObjectBlock { _, _, _, key1, object1, _, key2, object2 in
                guard let a = object1 as? Message, let b = object2 as? Message else { return key1.order(against: key2) }
                return a.date == b.date ? a.id.order(against: b.id) : a.date.compare(b.date)
            },
            versionTag: "1", options: options)
    }
}

extension String {
    fileprivate func order(against other: String) -> ComparisonResult {
        self == other ? .orderedSame : self < other ? .orderedAscending : .orderedDescending
    }
}
