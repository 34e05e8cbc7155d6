import Foundation

extension YapDatabase {
    /// Publishes the commit in the log and then commits, so that a reader that finds its number in the file finds it in the log.
    func commit(_ commit: Commit, on before: Snapshot, in store: Store) throws {
        if file.hasOthers {
            let content = CommitContent(commit, before: before).bytes
            try store.append(CommitRecord(before: before.version, after: commit.version, content: content))
        }
        try file.checkPlace()
        commitLog.publish(commit, on: before)
        do {
            try store.commit()
            store.didCommit(commit.version)
            commitLog.confirm(store.lastKnown)
            checkpointer.didCommit(store, for: self)
            didCommitForRest()
        } catch {
            commitLog.withdraw(commit)
            announce()
            throw error
        }
    }

    /// Announces all new commits of the log in order, and trims the log. May run on several threads at once: one announces
    /// for all of them, and each call returns after its commits were announced.
    func announce() {
        let (isFirst, wakeConsumers) = unposted.withLock { unposted -> (Bool, (() -> Void)?) in
            let commits = commitLog.popUnannounced()
            let wakeConsumers = commits.isEmpty ? nil : broadcast.send(commits)
            guard options.postsNotifications else { return (false, wakeConsumers) }
            defer { unposted.append(commits) }
            return (unposted.isEmpty && !commits.isEmpty, wakeConsumers)
        }
        wakeConsumers?()
        // A busy main queue gets one block, however many commits are made meanwhile. The block does not retain the database,
        // so a database that is released first posts nothing.
        if isFirst {
            DispatchQueue.main.async { [weak file, weak self] in file?.borrowing { self?.postNotifications() } }
        }
        let newest = commitLog.latest.number
        commitLog.trim(keepingAfter: connections.oldestWanted(newest) ?? newest)
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
