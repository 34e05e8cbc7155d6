import Dispatch
import SQLiteBridge

/// Notices the commits of other processes, without asking around while nothing happens.
///
/// A commit writes to the log and then, a moment later, to the shared index, which says that it is one. The first wakes
/// the watch; then it looks at the index's change counter, at growing intervals, until it has seen enough.
package final class ForeignCommitWatch: @unchecked Sendable {
    // @unchecked: everything that changes is touched on `queue` only.

    /// Milliseconds between looks after a write: a commit follows its last write to the log within a disk's wait.
    private static let intervals = [2, 4, 8, 16, 32, 64, 128, 256, 512]

    private let queue = DispatchQueue(label: "YapDatabase foreign commits")
    private weak var user: (any FileUser)?
    private let checkpointer: Checkpointer
    private var store: Store?
    private var watch: Int?
    private let file: OpenFile
    private let logPath: String
    /// Counts the series of looks, so that a new one ends the one before.
    private var series = 0
    /// The counter of the commit at which readers stepped out of the log last.
    private var steppedOut: UInt32?
    /// Bytes of log from which on readers step out of it when another process has copied it.
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

    deinit { stop() }

    package func start(for user: any FileUser) throws {
        self.user = user
        watch = try FileWatch.shared().add(logPath) { [weak self] in self?.wake() }
    }

    package func close() {
        queue.sync {
            stop()
            store = nil
        }
    }

    private func stop() {
        guard let watch, let files = try? FileWatch.shared() else { return }
        files.remove(watch)
        self.watch = nil
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
        if let counter = store.handle.changeCounter, user.newestVersions.allSatisfy({ $0.change != counter }) {
            do {
                try user.loadForeignCommits()
            } catch {
                // The next transaction does it, and throws what is wrong.
                user.warn("A commit of another process could not be read yet: \(error)")
            }
        }
        followCopy(user, store)
        guard attempt < Self.intervals.count else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.intervals[attempt])) { [weak self] in
            self?.look(attempt + 1, current)
        }
    }

    /// Where another process committed last and has copied all of a long log, only readers keep the log from starting
    /// anew, and it waits a moment for them.
    private func followCopy(_ user: any FileUser, _ store: Store) {
        guard let counter = store.handle.changeCounter, counter != steppedOut,
            store.handle.pagesToCheckpoint == 0, let size = store.handle.logSize, size >= limit,
            user.newestForeignVersion?.change == counter
        else { return }
        steppedOut = counter
        checkpointer.followCopy(for: user)
    }
}
