import Foundation

extension YapDatabase {
    /// Makes a commit last and visible: its record first, so that whoever reads its number in the file finds it.
    func commit(_ commit: Commit, in store: Store) throws {
        commitLog.publish(commit)
        do {
            try store.commit()
            commitLog.confirm()
            store.lastMark = commit.snapshot.mark
            if store.handle.pagesToCheckpoint >= Checkpointer.threshold { checkpointer.ask(for: self) }
        } catch {
            commitLog.withdraw(commit)
            throw error
        }
    }

    /// Tells everybody of a commit that is made, and tidies up behind it.
    func announce(_ commit: Commit) {
        broadcast.send(commit)
        DispatchQueue.main.async {
            NotificationCenter.default.post(commit.notification(from: self))
            if commit.isExternal {
                NotificationCenter.default.post(name: .YapDatabaseModifiedExternally, object: self)
            }
        }
        commitLog.trim(keepingAfter: connections.oldestSnapshot ?? commit.snapshot.number)
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
