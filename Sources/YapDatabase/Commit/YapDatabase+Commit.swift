import Foundation

extension YapDatabase {
    /// Makes a commit last and visible: its record first, so that whoever reads its number in the file finds it.
    func commit(_ commit: Commit, on before: Snapshot, in store: Store) throws {
        commitLog.publish(commit)
        do {
            try journal.append(JournalEntry(commit, before: before))
            try store.commit()
            journal.confirm()
            commitLog.confirm()
            store.lastMark = commit.snapshot.mark
            if store.handle.pagesToCheckpoint >= Checkpointer.threshold { checkpointer.ask(for: self) }
        } catch {
            journal.withdraw()
            commitLog.withdraw(commit)
            announce()
            throw error
        }
    }

    /// Tells everybody of the commits that have come into the log, and tidies up behind them. Several may call it at once:
    /// whose turn it is tells of all in their order, and when it returns, they are told.
    func announce() {
        let isFirst = unposted.withLock { unposted in
            let commits = commitLog.takeUnannounced()
            for commit in commits { broadcast.send(commit) }
            defer { unposted += commits }
            return unposted.isEmpty && !commits.isEmpty
        }
        // A main queue that is busy is asked once, however many commits are made meanwhile, and holds no database: one that
        // nobody has any more posts nothing.
        if isFirst { DispatchQueue.main.async { [weak self] in self?.postNotifications() } }
        commitLog.trim(keepingAfter: connections.oldestSnapshot ?? commitLog.latest.number)
    }

    private func postNotifications() {
        let commits = unposted.withLock { commits in
            defer { commits = [] }
            return commits
        }
        for commit in commits {
            NotificationCenter.default.post(commit.notification(from: self))
            if commit.isForeign {
                NotificationCenter.default.post(name: .YapDatabaseModifiedExternally, object: self)
            }
        }
    }

    func announceClosed() {
        let files = [
            YapDatabaseURLKey: databaseURL, YapDatabaseURLWalKey: databaseURL_wal,
            YapDatabaseURLShmKey: databaseURL_shm,
        ]
        DispatchQueue.main.async {
            NotificationCenter.default.post(name: .YapDatabaseClosed, object: nil, userInfo: files)
        }
    }
}
