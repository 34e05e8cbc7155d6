import FileEngine
import Foundation

extension YapDatabase {
    /// Opens a file that follows a space on a server, or creates it.
    ///
    /// ```swift
    /// var options = YapDatabaseServerOptions(address: "postgres://alice@db.example.com/team", space: "books")
    /// options.timeout = .seconds(5)
    /// let database = try YapDatabase.open(url: url, server: options)
    /// ```
    ///
    /// Returns at once, without waiting for the server: the file has what it had, and `YapDatabaseServer.states` says
    /// when it is up to date. Several processes may open the file; one of them follows, another takes over within a
    /// second when it ends.
    ///
    /// - Parameters:
    ///   - url: the file; its folder must exist.
    ///   - server: the space and the server.
    ///   - options: settings of the file.
    /// - Throws: ``YapDatabaseError`` as ``YapDatabase/init(url:options:)``, and `YapDatabaseServerError` with `badSpace` if the
    ///   address is wrong, the file follows another space, or it has rows of its own in collections of the space.
    public static func open(
        url: URL, server: YapDatabaseServerOptions, options: YapDatabaseOptions = YapDatabaseOptions()
    ) throws -> YapDatabase {
        let database = try YapDatabase(url: url, options: options)
        do {
            let made = try YapDatabaseServer(server, path: database.path)
            try made.checkMayFollow(database)
            database.authority = made
            made.start(for: database)
            return database
        } catch {
            try? database.close()
            throw error
        }
    }

    /// The space that the database follows; nil if it was opened without one.
    public var server: YapDatabaseServer? { authority as? YapDatabaseServer }
}

extension YapDatabaseServer {
    /// Checks that the file may follow the space, and loads which commit of the space it has.
    func checkMayFollow(_ database: YapDatabase) throws {
        try database.newConnection().read { transaction in
            let position = try transaction.position()
            if let position, !position.space.hasSameBytes(as: options.space) {
                throw YapDatabaseServerError(
                    .badSpace,
                    "\(database.path) follows the space \"\(position.space)\". Open another file for \"\(options.space)\"."
                )
            }
            known.store(position?.reached ?? 0, ordering: .releasing)
            hasFollowed.store(position != nil, ordering: .releasing)
            guard !options.replacesLocalRows else { return }
            let before = position.flatMap { YapDatabaseServerCollections(line: $0.collections) } ?? .only([])
            for collection in try transaction.allCollections()
            where options.collections.contains(collection) && !before.contains(collection) {
                throw YapDatabaseServerError(
                    .badSpace,
                    "\(database.path) has rows of its own in the collection \"\(collection)\", which would give way to those of the "
                        + "space. Set `replacesLocalRows`, or open a new file.")
            }
        }
    }

    /// Why the file cannot be brought up to date by the commits since its position.
    func comparison(of position: SpacePosition?, local: Int) -> YapDatabaseServerComparison? {
        guard let position, position.collections == options.collections.line else { return .firstContact }
        if position.givesWay { return .historyLost }
        return position.local == local ? nil : .writtenByOthers
    }

    /// Writes fetched rows into a file without pending mutations, unless its position has changed since the rows were asked for.
    /// - Returns: whether the rows were written.
    /// - Throws: ``YapDatabaseServerError`` with `wouldLoseRows`.
    func writeRows(
        of fetched: Fetched, since base: SpacePosition?, in transaction: YapDatabaseReadWriteTransaction
    ) throws -> Bool {
        guard try fits(fetched, since: base, in: transaction) else { return false }
        try refuseLosses(fetched, transaction)
        var writer = FetchedRowWriter(fetched, options.collections, in: transaction)
        try writer.run()
        try noteWritten(fetched, by: writer, in: transaction)
        return true
    }

    /// Whether the file has the same position as when the rows were asked for.
    func fits(
        _ fetched: Fetched, since base: SpacePosition?, in transaction: YapDatabaseReadWriteTransaction
    ) throws -> Bool {
        let present = try transaction.position()
        if present == nil, hasFollowed.load(ordering: .acquiring) {
            throw YapDatabaseServerError(
                .badSpace, "\(path) was detached from its space while this program had it open. Close it.")
        }
        guard present?.number == base?.number, present?.commit == base?.commit else { return false }
        return fetched.base == nil || present?.local == transaction.numberBefore
    }

    /// Stores the new position of the file. Notes which rows could not be used, and how many rows the commit has.
    func noteWritten(_ fetched: Fetched, by writer: FetchedRowWriter, in transaction: YapDatabaseReadWriteTransaction)
        throws
    {
        let (rows, isEverything) = (writer.unusable, fetched.base == nil)
        transaction.whenCommitted { self.unusable.withLock { $0.note(rows, isEverything: isEverything) } }
        transaction.yapDatabaseModifiedNotificationCustomObject = YapDatabaseServerCommit(
            number: fetched.number, rows: writer.count, comparison: fetched.comparison,
            unusableRows: writer.unusable.count)
        try setPosition(fetched.head, after: transaction.position(), in: transaction)
    }

    /// Throws if the file would lose rows because the history of the space is broken.
    func refuseLosses(_ fetched: Fetched, _ transaction: YapDatabaseReadWriteTransaction) throws {
        refusal.withLock { $0 = nil }
        guard let broken = fetched.brokenHistory, let present = try transaction.position() else { return }
        let losses = try Losses(of: fetched.rows, options.collections, in: transaction)
        guard !losses.isEmpty else { return }
        let new = Refusal(present, fetched.head, broken, losses, file: path)
        refusal.withLock { $0 = new }
        throw new.error
    }

    /// Throws the error of ``refuseLosses(_:_:)`` again if neither the file nor the space has changed, without fetching all rows again.
    func throwIfStillRefused(_ position: SpacePosition?, over session: ServerSession) throws {
        guard let refusal = refusal.withLock({ $0 }) else { return }
        let head = try Fetch(space: session.space, collections: options.collections, file: path).head(
            since: position, over: session.connection)
        if refusal.holds(position, head) { throw refusal.error }
    }

    private func setPosition(
        _ head: SpaceHead, after present: SpacePosition?, in transaction: YapDatabaseReadWriteTransaction
    ) throws {
        let position = SpacePosition(
            number: head.number, commit: head.commit, local: transaction.numberOfCommit,
            collections: options.collections.line, file: present?.file ?? .random(), space: options.space,
            identity: head.identity)
        try transaction.setPosition(position, replacing: present)
        // A program that opens the file without its server can show where the server is.
        if try transaction.fileValue(SpaceValue.address) != address.text {
            try transaction.setFileValue(address.text, SpaceValue.address)
        }
        transaction.whenCommitted { self.hasFollowed.store(true, ordering: .releasing) }
    }

    /// Notes that the file has a commit of the space, once it has: a file that cannot be written asks for that commit again.
    func noteKnown(_ number: Int, in transaction: YapDatabaseReadWriteTransaction) {
        transaction.whenCommitted { self.raiseKnown(to: number) }
    }

    func raiseKnown(to number: Int) {
        known.store(max(number, known.load(ordering: .relaxed)), ordering: .releasing)
    }

    /// Moves the position to a commit of this file.
    func setPosition(
        _ number: Int, _ commit: UUID?, after present: SpacePosition, in transaction: YapDatabaseReadWriteTransaction
    ) throws {
        var position = present
        (position.number, position.commit, position.local) = (number, commit, transaction.numberOfCommit)
        try transaction.setPosition(position, replacing: present)
    }
}
