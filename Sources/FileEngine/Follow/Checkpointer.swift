import Dispatch
import Foundation
import SQLiteBridge
import Synchronization

/// Moves pages from the write-ahead log into the file, beside the writers: on a queue and handles of its own.
///
/// A passive checkpoint waits for nobody and keeps nobody waiting. When it has copied everything and no reader stands
/// in the log, the log can start from its beginning. With readers that stay, and a writer that never rests, that moment
/// does not come by itself; so when the log is long, `makeRoom` brings it about.
package final class Checkpointer: @unchecked Sendable {
    // @unchecked: everything that changes is touched on `queue` only.

    /// Pages in the log from which on a checkpoint is worth its waits for the disk.
    static let threshold = 500
    /// How long writers are held up at most while readers step out of the log.
    private static let patience = DispatchTimeInterval.milliseconds(50)

    private let queue = DispatchQueue(label: "YapDatabase checkpoints", qos: .utility)
    private var store: Store?
    /// Holds the file's write lock during `makeRoom`, while `store` copies.
    private var lock: Store?
    private let file: OpenFile
    private let limit: Int
    /// Bytes of log from which room is made the next time: more than the limit after an attempt in vain, so that a reader
    /// that never moves does not hold up writers again and again.
    private var nextSize: Int
    private let isAsked = Atomic(false)
    /// Checkpoints that run or wait.
    private let checkpoints = DispatchGroup()
    /// Bytes of log from which writers wait for the checkpoint that runs.
    private let mostSize: Atomic<Int>

    /// - Parameter limit: bytes of log from which on room is made.
    package init(_ file: OpenFile, options: any FileOptions) throws {
        let store = try Store(file, options: options, busyTimeout: 0, isCounted: false)
        // The size of the log is known after a first look at it.
        _ = try store.beginRead()
        try store.rollback()
        self.store = store
        lock = try Store(file, options: options, busyTimeout: 0, isCounted: false)
        self.file = file
        // A terabyte is as good as none, and leaves room to calculate.
        limit = min(options.aggressiveWALTruncationSize, 1 << 40)
        nextSize = limit
        mostSize = Atomic(2 * limit)
    }

    /// Asks for a checkpoint soon. Many calls before it runs are one.
    func ask(for user: any FileUser) {
        guard !isAsked.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async(group: checkpoints) { [self, weak user] in
            isAsked.store(false, ordering: .releasing)
            file.borrowing {
                do {
                    try checkpoint(user)
                } catch {
                    // Harmless: the log keeps everything, a later commit asks again, and an error that lasts (a full disk, a
                    // dead one) meets the next write, which throws it.
                    user?.warn("The write-ahead log could not be copied into the file for now: \(error)")
                }
            }
        }
    }

    /// Asks for a checkpoint when the log has become long.
    package func didCommit(_ store: Store, for user: any FileUser) {
        if store.handle.pagesToCheckpoint >= Self.threshold { ask(for: user) }
    }

    /// Lets a writer that is faster than the disk wait a little before its next transaction, outside of the gate. One that
    /// wrote much at once and is done does not wait.
    package func holdBack(_ store: Store) {
        guard let logSize = store.handle.logSize, logSize >= mostSize.load(ordering: .relaxed) else { return }
        _ = checkpoints.wait(timeout: .now() + Self.patience)
    }

    /// Lets go of the file. A process that has it for itself drops what only other processes would read.
    package func close() {
        queue.sync {
            let isInPlace = (try? file.checkPlace()) != nil
            if isInPlace, !file.hasOthers { store?.dropRecords() }
            store = nil
            lock = nil
        }
    }

    private func checkpoint(_ user: (any FileUser)?) throws {
        guard let store, let user else { return }
        // Where another file has the name, its users share the log's index: what is copied here would be lost there.
        try file.checkPlace()
        _ = try store.handle.checkpoint(.passive)
        guard let size = store.handle.logSize else { return }
        guard size >= nextSize else {
            // It has started anew, perhaps because of another process.
            if size < limit { setNextSize(limit) }
            return
        }
        try makeRoom(user, store)
        let remaining = store.handle.logSize ?? 0
        setNextSize(max(limit, remaining + remaining / 4))
        if remaining >= limit { user.warnOfReaders(logSize: remaining) }
    }

    private func setNextSize(_ size: Int) {
        nextSize = size
        mostSize.store(size + limit, ordering: .relaxed)
    }

    /// Lets the log start from its beginning although readers stay: while nobody can commit, waits a little for readers to
    /// reach the newest state, copies what is left, and has every long-lived reader of this process begin again on the
    /// same state, which it then finds in the file alone. Readers that stay on older states keep the log as it is. Other
    /// processes see that everything is copied, and do the same with theirs (`followCopy`).
    private func makeRoom(_ user: any FileUser, _ store: Store) throws {
        try user.holdingWriters {
            let deadline = DispatchTime.now() + Self.patience
            let isCopied = try whileLocked {
                guard try copyAll(store, until: deadline) else { return false }
                user.restartReaders(until: deadline)
                return true
            }
            // With a busy timeout of zero it does nothing when somebody is in the way.
            while try store.handle.checkpoint(.truncate).wasBusy, isCopied, DispatchTime.now() < deadline {
                usleep(1_000)
            }
        }
    }

    /// Another process has copied all of a long log into the file: has the readers of this one begin again too, on the same
    /// state, so that the log can start from its beginning.
    func followCopy(for user: any FileUser) {
        queue.async { [self, weak user] in file.borrowing { stepOutOfCopiedLog(user) } }
    }

    private func stepOutOfCopiedLog(_ user: (any FileUser)?) {
        guard let store, let user, (try? file.checkPlace()) != nil else { return }
        user.holdingWriters {
            let deadline = DispatchTime.now() + Self.patience
            // The other one holds the write lock until its own readers are out. Where this fails for good, the log stays
            // as it is, and whoever writes next learns why.
            while DispatchTime.now() < deadline {
                let result = Result {
                    try whileLocked {
                        if store.handle.pagesToCheckpoint == 0 { user.restartReaders(until: deadline) }
                    }
                }
                if case .success = result { return }
                usleep(1_000)
            }
        }
    }

    /// Runs the body while no process can commit.
    private func whileLocked<Value>(_ body: () throws -> Value) throws -> Value {
        guard let lock else { throw YapDatabaseError(.closed, "The database was closed.") }
        _ = try lock.beginWrite()
        let result = Result { try body() }
        try lock.rollback()
        return try result.get()
    }

    /// Copies as readers jump. Those that follow commits do so soon, now that there is a newest one.
    private func copyAll(_ store: Store, until deadline: DispatchTime) throws -> Bool {
        while try !store.handle.checkpoint(.passive).isComplete {
            guard DispatchTime.now() < deadline else { return false }
            usleep(1_000)
        }
        return true
    }
}
