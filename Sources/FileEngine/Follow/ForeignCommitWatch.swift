import Dispatch
import SQLiteBridge

/// Detects commits of other processes, without polling while the file does not change.
///
/// A commit writes to the log and after the disk's answer to the shared index, which makes the commit visible. The first write wakes
/// the watch, which then reads the index's change counter at growing intervals, until no page stands in the log that the index does not
/// know. So a commit of this process, which has become visible when the watch looks, costs one look, and one that waits long for a slow
/// disk or a processor is met too. A transaction that was given up can leave such pages: the watch looks for them for five minutes at most.
package final class ForeignCommitWatch: @unchecked Sendable {
    // @unchecked: everything that changes is touched on `queue` only.

    /// Milliseconds between reads of the counter after a write. A commit follows its last write to the log within one disk
    /// sync, usually.
    private static let intervals = [2, 4, 8, 16] + Array(repeating: 32, count: 8) + [256, 512]
    /// The further reads, a second apart, while a commit is on its way.
    private static let lateReads = 300

    private let queue = DispatchQueue(label: "YapDatabase foreign commits")
    private weak var user: (any FileUser)?
    private let checkpointer: Checkpointer
    private var store: Store?
    private var watch: Int?
    private let file: OpenFile
    private let logPath: String
    private let pause = Locked(WatchPause())
    /// The number of the current series of reads. A new series ends the one before.
    private var series = 0
    /// The counter of the commit that could not be loaded last; it is told once.
    private var warned: UInt32?
    /// The counter of the commit at which readers last began again, so that they need nothing of the write-ahead log.
    private var steppedOut: UInt32?
    /// The size of the write-ahead log, in bytes, from which on readers begin again after another process has checkpointed it.
    private let limit: Int

    package init(_ file: OpenFile, options: any FileOptions, checkpointer: Checkpointer) throws {
        let store = try Store(file, options: options, busyTimeout: 0)
        _ = try store.beginRead()
        try store.rollback()
        self.store = store
        self.file = file
        self.checkpointer = checkpointer
        limit = options.aggressiveWALTruncationSize
        logPath = file.path + "-wal"
    }

    deinit { FileWatch.end(&watch) }

    package func start(for user: any FileUser) throws {
        self.user = user
        watch = try FileWatch.shared().add(
            logPath, pause: { [weak self] in self?.pause.withLock { $0.milliseconds } ?? WatchPause.least }
        ) { [weak self] in self?.wake() }
    }

    package func close() {
        queue.sync {
            FileWatch.end(&watch)
            store = nil
        }
    }

    private func wake() {
        queue.async { [weak self] in
            guard let self else { return }
            series += 1
            look(0, series)
        }
    }

    private func look(_ attempt: Int, _ current: Int) {
        file.borrowing { lookOnce(attempt, current) }
    }

    private func lookOnce(_ attempt: Int, _ current: Int) {
        guard let user, let store, current == series else { return }
        let news = store.handle.changeCounter.flatMap { isNew($0, to: user) ? $0 : nil }
        if attempt == 0 {
            let commits = user.commitCount
            pause.withLock { $0.didLook(foundOthers: news != nil, commits: commits) }
        }
        if let counter = news {
            do {
                try user.loadForeignCommits()
            } catch  where warned != counter {
                // A further read loads it, or the next transaction, which throws the error.
                warned = counter
                user.warn("What changed in the file could not be read yet: \(error)")
            } catch {}
        }
        followCopy(user, store)
        let isLate = attempt >= Self.intervals.count
        guard attempt < Self.intervals.count + Self.lateReads, mayChangeSoon(user, store, isLate: isLate) else {
            return
        }
        let interval = isLate ? 1_000 : Self.intervals[attempt]
        queue.asyncAfter(deadline: .now() + .milliseconds(interval)) { [weak self] in
            self?.look(attempt + 1, current)
        }
    }

    /// Whether a commit is on its way or could not be loaded, or a long log may be copied, which is done soon after a commit or not at all.
    private func mayChangeSoon(_ user: any FileUser, _ store: Store, isLate: Bool) -> Bool {
        guard let counter = store.handle.changeCounter, let size = store.handle.logSize else { return !isLate }
        return size >= limit && !isLate || store.handle.isLogBeingWritten
            || isNew(counter, to: user)
    }

    /// Whether the counter is that of a commit that this process does not know.
    private func isNew(_ counter: UInt32, to user: any FileUser) -> Bool {
        user.newestVersions.allSatisfy { $0.change != counter }
    }

    /// If another process has copied all of a long write-ahead log into the file, only readers prevent the log from restarting at
    /// its beginning. That process waits a moment for them, and lets no process commit.
    private func followCopy(_ user: any FileUser, _ store: Store) {
        guard let counter = store.handle.changeCounter, counter != steppedOut,
            store.handle.pagesToCheckpoint == 0, let size = store.handle.logSize, size >= limit,
            file.presence?.isWindowOpen == true
        else { return }
        steppedOut = counter
        checkpointer.followCopy(for: user)
    }
}
