import Foundation

extension YapDatabase {
    /// Makes a commit last and visible: its record first, so that a reader that finds its number in the file finds it.
    func commit(_ commit: Commit, on before: Snapshot, in store: Store) throws {
        if file.hasOthers {
            let content = CommitContent(commit, before: before).bytes
            try store.append(CommitRecord(before: before.mark, after: commit.snapshot.mark, content: content))
        }
        try file.checkPlace()
        commitLog.publish(commit, on: before)
        do {
            try store.commit()
            commitLog.confirm()
            store.lastMark = commit.snapshot.mark
            checkpointer.didCommit(store, for: self)
        } catch {
            commitLog.withdraw(commit)
            announce()
            throw error
        }
    }

    /// Tells everybody of the commits that have come into the log, and tidies up behind them. Several may call it at once:
    /// whose turn it is tells of all in their order, and when it returns, they are told.
    func announce() {
        let isFirst = unposted.withLock { unposted in
            let commits = commitLog.popUnannounced()
            if !commits.isEmpty { broadcast.send(commits) }
            guard options.postsNotifications else { return false }
            defer { unposted.append(commits) }
            return unposted.isEmpty && !commits.isEmpty
        }
        // A main queue that is busy is asked once, however many commits are made meanwhile, and holds no database: one that
        // nobody has any more posts nothing.
        if isFirst {
            DispatchQueue.main.async { [weak file, weak self] in file?.borrowing { self?.postNotifications() } }
        }
        commitLog.trim(keepingAfter: connections.oldestSnapshot ?? commitLog.latest.number)
    }

    private func postNotifications() {
        let commits = unposted.withLock { $0.removeAll() }
        for commit in commits {
            NotificationCenter.default.post(YapDatabaseCommit(commit).notification(from: self))
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
