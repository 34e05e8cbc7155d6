import FileEngine

extension YapDatabaseConnection {
    /// Freezes the connection on the newest state: every `read` sees it until the next jump, which moves to the newest state
    /// again.
    ///
    /// ```swift
    /// let commits = try connection.jump()
    /// let outcome = try view.outcome(for: commits, with: mappings)
    /// ```
    ///
    /// After some disk errors the state is lost, and every read throws that error until the next jump. Never waits for a
    /// writer. Costs a few system calls, and O(changed rows) for updating the caches.
    ///
    /// - Returns: the commits between the state that the connection last read and the new one, in order. If they are no longer known,
    ///   because the connection was far behind, one in their place, for which ``YapDatabaseCommit/isExternal`` is true: more than
    ///   4,096 commits, or 256 where no jump came before.
    /// - Throws: ``YapDatabaseError`` with code `closed` if the database was closed; `locked` if other programs keep changing the file
    ///   without commit records; `corrupt`, `inputOutput` and the like if it cannot be read.
    @discardableResult
    public func jump() throws -> [YapDatabaseCommit] {
        try exclusively { try jumpOnQueue() }.map(YapDatabaseCommit.init)
    }

    private func jumpOnQueue() throws -> [Commit] {
        isFollowing.store(true, ordering: .relaxed)
        try thaw()
        let (transaction, between) = try beginRead()
        longLived = transaction
        return between
    }

    /// Jumps to the newest state if that is wanted, and stays on the present one otherwise.
    ///
    /// A handle cannot go back to a state that it has left. So beside other processes, which may commit at any moment, another handle
    /// begins to read the newest state, and takes over if that is wanted. Costs a handle, mostly one that was used before.
    /// - Returns: as ``jump()``; nil if the connection stays.
    func jump(ifNewest isWanted: (Snapshot) -> Bool) throws -> [YapDatabaseCommit]? {
        let between: [Commit]? = try exclusively {
            guard let held = longLived, longLivedFailure == nil, database.mayHaveOthers else {
                return try jumpOnQueue()
            }
            return try begin(ifNewest: isWanted, insteadOf: held)
        }
        return between?.map(YapDatabaseCommit.init)
    }

    private func begin(
        ifNewest isWanted: (Snapshot) -> Bool, insteadOf held: YapDatabaseReadTransaction
    ) throws -> [Commit]? {
        let (store, state) = (try store(), current)
        let other = try database.idleStore()
        isFollowing.store(true, ordering: .relaxed)
        openStore = other
        do {
            let (transaction, between) = try beginRead()
            if isWanted(transaction.snapshot) {
                longLived = transaction
                held.invalidate()
                database.idleStores.add(store)
                return between
            }
            transaction.invalidate()
        } catch {
            stay(on: state, store)
            throw error
        }
        database.idleStores.add(other)
        stay(on: state, store)
        return nil
    }

    private func stay(on state: Snapshot, _ store: Store) {
        openStore = store
        current = state
        // They have the values of the newest state.
        caches.removeAll()
    }

    /// The commits that the next jump is going to return, as far as this process knows of them; nil if there are none, or if they are no
    /// longer known.
    var commitsToCome: [Commit]? {
        let (log, newest) = (database.commitLog, database.commitLog.latest.version)
        if newest == current.version { return nil }
        return log.path(from: current.version, to: newest) ?? log.commits(after: current.number, through: newest.number)
    }

    /// Ends the frozen state, so that it keeps nothing in the write-ahead log, but remembers it: the next jump returns the commits since.
    func rest() throws {
        try exclusively { try thaw() }
    }

    /// Ends the frozen state: later reads see the newest state. Does nothing without a long-lived read transaction.
    ///
    /// ```swift
    /// try connection.jump()
    /// try connection.endLongLivedReadTransaction()
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `inputOutput` and the like if SQLite cannot end the transaction.
    public func endLongLivedReadTransaction() throws {
        try exclusively { try endLongLived() }
    }

    /// Restarts the long-lived transaction on the same state, so that it reads from the file and not from the log. Called on
    /// the queue, while no process can commit.
    func stepOutOfLog() {
        guard let transaction = longLived, current.version == database.commitLog.latest.version else { return }
        do {
            try transaction.store.commit()
            let version = try transaction.store.beginRead()
            guard version == current.version else {
                throw YapDatabaseError(
                    .corrupt,
                    "The state that this connection was frozen on is gone: the log's index was damaged, or a program wrote without "
                        + "the file's locks. Begin the long-lived read transaction again.")
            }
        } catch {
            // The state is lost. The next read throws the reason, instead of silently reading another state.
            longLivedFailure = error
        }
    }

    /// Ends the transaction of an old state, which keeps the log from starting again; the next read says so. Called on the queue.
    func giveUpState(logSize: Int) {
        guard let transaction = longLived, longLivedFailure == nil, current.version != database.commitLog.latest.version
        else { return }
        // If it cannot be ended, the state stays, and so does the log.
        guard (try? transaction.store.commit()) != nil else { return }
        holdsLog.store(false, ordering: .releasing)
        longLivedFailure = YapDatabaseError(
            .stateGivenUp,
            "This connection stayed on commit \(current.number) until the write-ahead log had \(logSize) bytes, more than "
                + "`logSizeLimit`, so its state was given up. Call `jump()` to go on with the newest state."
        )
    }

    /// Whether the connection is frozen on a state. Waits for earlier calls of the connection.
    ///
    /// ```swift
    /// try connection.jump()
    /// print(connection.isInLongLivedReadTransaction())   // true
    /// ```
    public func isInLongLivedReadTransaction() -> Bool {
        inOrder { longLived != nil }
    }

    /// Makes a write that would end this connection's long-lived read transaction stop the program with a message. For a
    /// connection that feeds a user interface and must not write. May be called from any thread.
    ///
    /// ```swift
    /// connection.enableExceptionsForImplicitlyEndingLongLivedReadTransaction()
    /// try connection.jump()
    /// // A write on this connection would stop the program from here on.
    /// ```
    public func enableExceptionsForImplicitlyEndingLongLivedReadTransaction() {
        keepsLongLived.store(true, ordering: .relaxed)
    }

    /// Lets a write end a long-lived read transaction of this connection, which is the initial setting.
    ///
    /// Example: ``enableExceptionsForImplicitlyEndingLongLivedReadTransaction()``.
    public func disableExceptionsForImplicitlyEndingLongLivedReadTransaction() {
        keepsLongLived.store(false, ordering: .relaxed)
    }

    func endLongLivedImplicitly() throws {
        require(
            longLived == nil || !keepsLongLived.load(ordering: .relaxed),
            "A write would end the long-lived read transaction of the connection \(name.map { "\"\($0)\" " } ?? "")implicitly. "
                + "Write on another connection, or end that transaction first.")
        try endLongLived()
    }
}
