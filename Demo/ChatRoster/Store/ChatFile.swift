import Foundation
import LiveTable

/// What a file holds before the chat writes to it. Any file of the library can be opened; only the chat's own, and new ones, are written.
enum ChatFile {
    /// Nothing yet.
    case new
    /// It has the lists of a chat, or people that can be read. One of the two is enough: rows may be damaged, and earlier chats had fewer lists.
    case chat
    /// Messages of an earlier chat, and nothing where this one keeps its own rows.
    case earlier
    /// Something else.
    case foreign

    /// The rows that are looked at: enough to tell, and few of a large file.
    private static let sampled = 100

    /// Looks at the names of the lists, and at some rows. Writes nothing.
    init(of database: YapDatabase, _ connection: YapDatabaseConnection) throws {
        OldMessage.use(in: database)
        let lists = Set(try database.previouslyRegisteredExtensionNames())
        self = try connection.read { transaction in
            // At once for a chat, however long it is; to count rows takes as long as there are.
            if lists.intersection(Chat.extensionNames).count * 2 > Chat.extensionNames.count { return .chat }
            if try transaction.hasReadablePerson(among: Self.sampled) { return .chat }
            let hasRows = try transaction.numberOfKeysInAllCollections() > 0
            if !hasRows, lists.isSubset(of: Chat.extensionNames) { return .new }
            guard hasRows, lists.subtracting(OldMessage.lists).isDisjoint(with: Chat.extensionNames),
                try Self.collections.allSatisfy({ try transaction.numberOfKeys(inCollection: $0) == 0 })
            else { return .foreign }
            return try transaction.hasOldMessages(among: Self.sampled) ? .earlier : .foreign
        }
    }

    private static let collections = [
        Chat.people.name, Chat.rooms.name, Chat.messages.name, Chat.seats.name, Chat.presence.name, Chat.drafts.name,
        Chat.settings.name, Chat.users.name,
    ]
}

extension YapDatabaseReadTransaction {
    /// Whether one of the first people can be decoded, and has the name that is its key.
    fileprivate func hasReadablePerson(among count: Int) throws -> Bool {
        try keys(inCollection: Chat.people.name, atMost: count).contains { key in
            try self[Chat.people].readable(key)?.name.hasSameBytes(as: key) ?? false
        }
    }

    /// Whether most of the first rows of an earlier chat's collection are messages.
    fileprivate func hasOldMessages(among count: Int) throws -> Bool {
        let keys = try keys(inCollection: OldMessage.collection, atMost: count)
        let found = try keys.count { try oldMessage($0)?.message(id: $0, reader: "") != nil }
        return found * 2 > keys.count
    }

    private func keys(inCollection collection: String, atMost count: Int) throws -> [String] {
        var keys: [String] = []
        try iterateKeys(inCollection: collection) { key, stop in
            keys.append(key)
            stop = keys.count >= count
        }
        return keys
    }
}

/// That a file is not a chat's, or not yet.
struct NotAChat: Error, CustomStringConvertible {
    let url: URL
    let file: ChatFile

    var description: String {
        file == .earlier
            ? "There are only messages of an earlier chat at \(url.path). `yap chat --db \(url.path.shellWord)` takes them over."
            : "\(url.path) holds something else than a chat, or one of a later version. It was left as it is; choose another file."
    }
}

extension ChatDatabase {
    /// Closes and removes a file in which no one takes part. It has what its server has, or nothing.
    func removeUnused() {
        guard (try? writer.read { try $0[Chat.users].keys().isEmpty }) == true else { return }
        try? close()
        for ending in ["", "-wal", "-shm", "-journal", "-server"] { unlink(database.path + ending) }
    }
}
