import Foundation
import LiveTable

/// The chat's file, opened by one person. Each event of the chat is one transaction.
final class ChatDatabase: Sendable {
    /// The view of what a search finds; it is in memory, for this process alone.
    static let foundView = "found"
    static let foundGroup = "found"

    let database: YapDatabase
    /// For messages and everything else that the person does.
    let writer: YapDatabaseConnection
    /// The person whose chat this is.
    let me: String
    private let serverState: @Sendable (YapDatabase) -> String?
    /// Marks this process among those of the same person.
    let session = UUID().uuidString
    /// Whether other processes see by a lock that this one lives.
    let holdsSession: Bool

    /// Opens or creates the file. A file of an earlier chat gets the collections of this one.
    ///
    /// - Parameters:
    ///   - name: who takes part; nil for the name that the user of the machine last had here, or else the user's name.
    ///   - joins: whether the person becomes a participant; otherwise the person only reads.
    ///   - progress: updated while views are filled.
    ///   - open: opens the file.
    ///   - serverState: why the file is not up to date with its server; nil if it is, or has none.
    /// - Throws: ``BadName``, and `YapDatabaseError` if the file cannot be read or written.
    init(
        url: URL, as name: String?, user: String = NSUserName(), joins: Bool = true, progress: Progress? = nil,
        open: (URL, YapDatabaseOptions) throws -> YapDatabase = { try YapDatabase(url: $0, options: $1) },
        serverState: @escaping @Sendable (YapDatabase) -> String? = { _ in nil }
    ) throws {
        self.serverState = serverState
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        var options = YapDatabaseOptions()
        // The screen reads `commits`.
        options.postsNotifications = false
        database = try open(url, options)
        holdsSession = database.hold(name: session)
        writer = try database.newConnection()
        let last = try writer.read { try $0[Chat.users].readable(user)?.name }
        me =
            try name.map { try Person.checked($0) } ?? last.map { (try? Person.checked($0)) ?? $0 }
            ?? ((try? Person.checked(user)) ?? "me")
        try database.register(Chat.conversations, Chat.roster, Chat.words, progress: progress)
        try database.register(Self.found(for: me), withName: Self.foundView)
        try bringOldMessages()
        try bringNamesIntoOneForm()
        let me = me
        // One who takes part already needs no write, which a server out of reach would refuse.
        let takesPart = try writer.read { transaction in
            try transaction[Chat.users].readable(user)?.name == me
                && transaction[Chat.people].readable(me)?.joined != nil
        }
        guard joins, !takesPart else { return }
        try writer.readWrite { transaction in
            if try transaction[Chat.users].readable(user)?.name != me {
                try transaction[Chat.users].save(StoredUser(user: user, name: me))
            }
            try transaction.join(me, at: Date())
        }
    }

    /// Why the file is not up to date with its server; nil if it is, or has none.
    var whyBehind: String? { serverState(database) }

    /// Waits for pending writes and closes the file.
    func close() throws { try database.close() }

    // MARK: Writing

    typealias Completion = @Sendable @MainActor (Result<Void, any Error>) -> Void

    /// Runs a transaction in the background, after the earlier ones; `completion` hears of its end on the main queue.
    func commit(
        _ completion: @escaping Completion = { _ in },
        _ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Void
    ) {
        writer.asyncReadWrite(body) { result in
            // Completion blocks run on the main queue.
            MainActor.assumeIsolated { completion(result) }
        }
    }

    // MARK: Search

    /// The results of a search: what the person may read, the newest last.
    private static func found(for person: String) -> YapDatabaseSearchResultsView {
        YapDatabaseSearchResultsView(
            fullTextSearchName: Chat.words.name,
            grouping: .withObjectBlock { _, _, _, object in
                guard let message = object as? Message, !message.isDeleted, message.kind != .notice,
                    let conversation = Conversation(id: message.conversation), !conversation.isClosed(to: person)
                else { return nil }
                return foundGroup
            },
            sorting: .withObjectBlock { _, _, _, _, object1, _, _, object2 in
                guard let a = object1 as? Message, let b = object2 as? Message else { return .orderedSame }
                return a.position < b.position
                    ? .orderedDescending : b.position < a.position ? .orderedAscending : .orderedSame
            }, versionTag: person)
    }
}
