import Foundation

extension YapDatabase {
    /// Makes a commit last and visible: its record first, so that whoever reads its number in the file finds it.
    func commit(_ commit: Commit, in store: Store) throws {
        commits.publish(commit)
        do {
            try store.commit()
            commits.confirm()
            if store.handle.pagesToCheckpoint >= Checkpointer.threshold { checkpointer.ask(for: self) }
        } catch {
            commits.withdraw(commit)
            throw error
        }
    }

    /// Tells everybody of a commit that is made, and tidies up behind it.
    func announce(_ commit: Commit) {
        DispatchQueue.main.async {
            NotificationCenter.default.post(commit.notification(from: self))
            if commit.isExternal {
                NotificationCenter.default.post(name: .YapDatabaseModifiedExternally, object: self)
            }
        }
        commits.trim(keepingAfter: connections.oldestSnapshot ?? commit.snapshot.number)
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
