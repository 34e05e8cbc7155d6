import Foundation
import LiveTable

/// The chat's file, opened by one person. Each event of the chat is one transaction.
final class ChatDatabase: Sendable {
    let database: YapDatabase
    /// For messages and everything else that the person does.
    let writer: YapDatabaseConnection
    /// For what the person does, where that is sent later: it does not wait for what the server has to confirm.
    private let deeds: YapDatabaseConnection
    private let deedQueue = DispatchQueue(label: "yap chat deeds")
    /// Whether the server confirms each message before it is stored.
    private let isConfirmed: Bool
    /// The person whose chat this is.
    let me: String
    private let serverDelay: ServerDelay.Source?
    private let serverTime: @Sendable (YapDatabase) -> Date?
    /// The space that the file follows, if it was opened without the server: then nothing in it can be written.
    let spaceOutOfReach: YapDatabaseFollowedSpace?
    /// Set once the file was moved, removed or replaced: nothing is stored any more.
    let loss = Locked<YapDatabaseError?>(nil)
    /// What the person has sent, and the file does not have yet.
    let unsentFiles: UnsentFiles
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
    ///   - group: the group of users for which a new file is made; nil for none.
    ///   - isConfirmed: whether the server confirms each message before it is stored.
    ///   - open: opens the file.
    ///   - serverDelay: why the file is not up to date with its server; nil if it has none.
    ///   - serverTime: the server's time; nil if it is not known, or there is no server.
    /// - Throws: ``BadName``, ``NotAChat`` for a file that is not a chat's, which is then as it was, and `YapDatabaseError` if the file cannot be
    ///   read or written.
    init(
        url: URL, as name: String?, user: String = NSUserName(), joins: Bool = true, progress: Progress? = nil,
        group: String? = nil, isConfirmed: Bool = false,
        open: (URL, YapDatabaseOptions) throws -> YapDatabase = { try YapDatabase(url: $0, options: $1) },
        serverDelay: ServerDelay.Source? = nil,
        serverTime: @escaping @Sendable (YapDatabase) -> Date? = { _ in nil }
    ) throws {
        (self.serverDelay, self.serverTime, self.isConfirmed) = (serverDelay, serverTime, isConfirmed)
        try SharedFile.make(url, group: group)
        var options = YapDatabaseOptions()
        // The screen reads `commits`.
        options.postsNotifications = false
        do { database = try open(url, options) } catch { throw SharedFile.refusal(of: url) ?? error }
        writer = try database.newConnection()
        let file = try ChatFile(of: database, writer)
        guard file == .chat || file == .new || file == .earlier && joins else {
            try database.close()
            throw NotAChat(url: url, file: file)
        }
        holdsSession = database.hold(name: session)
        spaceOutOfReach = try database.spaceOutOfReach
        unsentFiles = UnsentFiles(of: database.path)
        deeds = try database.newConnection()
        let last = try writer.read { try $0[Chat.users].readable(user)?.name }
        me =
            try name.map { try Person.checked($0) } ?? last.map { (try? Person.checked($0)) ?? $0 }
            ?? ((try? Person.checked(user)) ?? "me")
        try registerLists(progress)
        database.registerMutations(ChatDeed.self)
        if file == .earlier { try bringOldMessages() }
        try bringNamesIntoOneForm()
        let me = me
        // One who takes part already needs no write, which a server out of reach would refuse.
        let takesPart = try writer.read { transaction in
            try transaction[Chat.users].readable(user)?.name == me && transaction.hasJoined(me)
        }
        guard joins, !takesPart else { return }
        if let spaceOutOfReach { throw NeedsServer(url: url, space: spaceOutOfReach) }
        do { try takePart(user) } catch {
            // A space that does not exist, or has no place for the person, needs no file here.
            if file == .new, database.authority != nil { removeUnused() }
            throw error
        }
    }

    private func takePart(_ user: String) throws {
        try writer.readWrite { transaction in
            let users = transaction[Chat.users]
            if try users.readable(user)?.name != me, try users.mayReplace(user) {
                try users.save(StoredUser(user: user, name: me))
            }
            try transaction.join(me, at: now)
        }
    }

    private func registerLists(_ progress: Progress?) throws {
        try database.register(
            Chat.conversations, Chat.news, Chat.ownNews, Chat.mentions, Chat.threads, Chat.peers, Chat.places,
            Chat.roster, Chat.words, progress: progress)
        guard try database.previouslyRegisteredExtensionNames().contains(Chat.formerRoster) else { return }
        // Where it cannot be dropped now, because the disk is full for example, it only takes its room.
        try? database.unregisterExtension(withName: Chat.formerRoster)
    }

    /// Why the file is not up to date with its server; nil if it is, or has none.
    var delay: ServerDelay? {
        if loss.withLock({ $0 }) != nil {
            let name = database.databaseURL.path
            var delay = ServerDelay(
                "the file is gone",
                reason:
                    "\(name) was moved, removed or replaced while the chat had it open. Nothing more is stored, neither in it "
                    + "nor in a file in its place. Put it back under its name, with \(name)-wal if there is one, and the chat goes "
                    + "on; or quit and start the chat again. What you have not sent yet is kept.", mayWrite: false)
            delay.subject = ServerDelay.file
            return delay
        }
        return needsServer.map { ServerDelay("without its server", reason: "\($0)", mayWrite: false) }
            ?? serverDelay?(database)
    }

    /// Why nothing can be written now, as far as it is known without trying: a try would keep other writers waiting until its timeout.
    var whyNotWritable: String? { delay.flatMap { $0.mayWrite ? nil : $0.reason } }

    /// Whether what the person does is done at once, and sent to a server when that is possible.
    var sendsLater: Bool { !isConfirmed && (database.authority != nil || spaceOutOfReach != nil) }

    /// Why nothing can be done now, not even what is sent later.
    var whyNotPossible: String? {
        if sendsLater, loss.withLock({ $0 }) == nil { return nil }
        return whyNotWritable
    }

    /// Whether how it stands to a server may change at any time.
    var followsServer: Bool { serverDelay != nil }

    /// What is to be done where the file was opened without its server.
    var needsServer: NeedsServer? { spaceOutOfReach.map { NeedsServer(url: database.databaseURL, space: $0) } }

    /// The time: the server's, which all hosts share, or else this machine's.
    var now: Date { serverTime(database) ?? WallClock.now }

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

    /// Starts a change that other people see, after the changes before it. `completion` receives the result on the main queue.
    func carryOut(_ deed: ChatDeed.What, _ completion: @escaping Completion = { _ in }) {
        let deed = ChatDeed(person: me, date: now, what: deed)
        guard sendsLater else { return commit(completion) { try deed.apply($0) } }
        deedQueue.async { [deeds] in
            let result = Result { _ = try deeds.mutate(deed) }
            DispatchQueue.main.async { MainActor.assumeIsolated { completion(result) } }
        }
    }

    /// Does what other people see before it returns: at once, and at the server when that is possible.
    func carryOutNow(_ what: ChatDeed.What) throws {
        let deed = ChatDeed(person: me, date: now, what: what)
        if sendsLater { _ = try deeds.mutate(deed) } else { try writer.readWrite { try deed.apply($0) } }
    }

    /// Calls a function on the main queue, after the completions of all that was started before.
    func afterDeeds(_ body: @escaping @Sendable @MainActor () -> Void) {
        deedQueue.async { DispatchQueue.main.async { MainActor.assumeIsolated(body) } }
    }

    /// What the person has sent and the server does not have yet.
    func pendingSendings() throws -> [Sending] {
        guard sendsLater else { return [] }
        return try deeds.read { try $0.pendingMutations() }.compactMap { record in
            guard let deed = record.deed, deed.person == me, case .send(let sending) = deed.what else { return nil }
            return sending
        }
    }

    /// A record that cannot be removed now, because the disk is full for example, is told again at the next start.
    func forget(_ record: YapMutationRecord) { deedQueue.async { [deeds] in try? deeds.forgetMutation(record) } }

    // MARK: Sending

    /// Keeps a text before it is sent. Returns it with what is known of that.
    func kept(_ sending: Sending) -> Sending {
        var sending = sending
        sending.isKept = unsentFiles.keep(sending)
        return sending
    }

    /// What an earlier run of the person's chat left unsent.
    func unsent(_ transaction: YapDatabaseReadTransaction) throws -> [Sending] {
        let stored = try transaction.unsent(by: me)
        let ids = Set(stored.map(\.id))
        let all = stored + unsentFiles.load(of: me).filter { !ids.contains($0.id) }
        return all.sorted { $0.date < $1.date }.map { sending in
            var sending = sending
            sending.isKept = true
            return sending
        }
    }

    /// Sends texts in one commit, all or none of them.
    func send(
        _ sendings: [Sending],
        _ completion: @escaping @Sendable @MainActor (Result<[String: SendingResult], any Error>) -> Void
    ) {
        if sendsLater { return sendLater(sendings, completion) }
        let results = Locked<[String: SendingResult]>([:])
        commit({ [unsentFiles] result in
            let done = results.withLock { $0 }
            // The transaction may have run more than once: what was stored is known when it has ended.
            if case .success = result { for (id, result) in done where !result.isRefusal { unsentFiles.remove(id) } }
            completion(result.map { done })
        }) { [self] transaction in
            let sent = try transaction.send(sendings, keptIn: unsentFiles, at: now)
            results.withLock { $0 = sent }
        }
    }

    /// Sends texts one by one: each is in the file when it was sent, and at the server when that is possible.
    private func sendLater(
        _ sendings: [Sending],
        _ completion: @escaping @Sendable @MainActor (Result<[String: SendingResult], any Error>) -> Void
    ) {
        let date = now
        deedQueue.async { [self] in
            var results: [String: SendingResult] = [:]
            let result = Result {
                for sending in sendings {
                    let isThere = try deeds.read { transaction in
                        try !sending.isKept || unsentFiles.has(sending.id)
                            || transaction[Chat.drafts].contains(sending.key)
                    }
                    guard isThere else {
                        results[sending.id] = .gone
                        continue
                    }
                    do {
                        try deeds.mutate(ChatDeed(person: me, date: date, what: .send(sending)))
                        let message = try deeds.read { try $0[Chat.messages].readable(sending.id) }
                        results[sending.id] = .stored(message)
                        unsentFiles.remove(sending.id)
                    } catch let error as any RefusedSending {
                        results[sending.id] = .refused("\(error)")
                    }
                }
                return results
            }
            DispatchQueue.main.async { MainActor.assumeIsolated { completion(result) } }
        }
    }

    /// Moves what was not sent from files of its own into the chat's file, if that can be written. `completion` is called when that was done.
    func keepInFile(_ sendings: [Sending], _ completion: @escaping @Sendable @MainActor () -> Void = {}) {
        let sendings = sendings.filter { unsentFiles.has($0.id) || !$0.isKept }
        if sendings.isEmpty { return }
        commit({ [unsentFiles] result in
            guard case .success = result else { return }
            for sending in sendings { unsentFiles.remove(sending.id) }
            completion()
        }) { try $0.keep(sendings) }
    }

    /// Has a text sent no more: it is a draft again.
    func takeBack(_ sending: Sending, as draft: Draft, _ completion: @escaping Completion) {
        unsentFiles.remove(sending.id)
        let place = Seat.key(me, sending.conversation)
        commit(completion) { transaction in
            try transaction[Chat.drafts].remove(sending.key)
            try transaction[Chat.drafts].save(StoredDraft(key: place, draft: draft))
        }
    }
}

/// That the file of a chat follows a space, and was opened without the server.
struct NeedsServer: Error, CustomStringConvertible {
    let url: URL
    let space: YapDatabaseFollowedSpace

    var description: String {
        let server = space.address.map { $0.contains(" ") ? "\"\($0)\"" : $0 } ?? "URI"
        return
            "\(url.path) follows \(space.title). Without it the chat can be read, and what is written waits. Start it as: yap chat "
            + "--server \(server) --space \(space.name) --db \(url.path)"
    }
}
