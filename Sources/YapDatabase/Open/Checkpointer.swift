import Dispatch
import SQLiteBridge
import Synchronization

/// Moves pages from the write-ahead log into the file, beside the writers: on a queue and handles of its own.
///
/// A passive checkpoint waits for nobody and keeps nobody waiting. When it has copied everything and no reader stands
/// in the log, the log can start from its beginning. With readers that stay, and a writer that never rests, that moment
/// does not come by itself; so when the log is long, `makeRoom` brings it about.
final class Checkpointer: @unchecked Sendable {
    // @unchecked: the stores are touched on `queue` only.

    /// Pages in the log from which on a checkpoint is worth its waits for the disk.
    static let threshold = 500
    /// How long writers are held up at most while readers step out of the log.
    private static let patience = DispatchTimeInterval.milliseconds(50)

    private let queue = DispatchQueue(label: "YapDatabase checkpoints", qos: .utility)
    private var store: Store?
    /// Holds the file's write lock during `makeRoom`, while `store` copies.
    private var lock: Store?
    private let limit: Int
    private let isAsked = Atomic(false)

    /// - Parameter limit: bytes of log from which on room is made.
    init(path: String, options: YapDatabaseOptions) throws {
        let store = try Store(path: path, options: options, busyTimeout: 0)
        // The size of the log is known after a first look at it.
        _ = try store.beginRead()
        try store.rollback()
        self.store = store
        lock = try Store(path: path, options: options, busyTimeout: 0)
        limit = options.aggressiveWALTruncationSize
    }

    /// Asks for a checkpoint soon. Many calls before it runs are one.
    func ask(for database: YapDatabase) {
        guard !isAsked.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { [self, weak database] in
            isAsked.store(false, ordering: .releasing)
            // Failing is harmless here: the log keeps everything, a later commit asks again, and an error that lasts (a
            // full disk, a dead one) meets the next write, which throws it.
            try? checkpoint(database)
        }
    }

    func close() {
        queue.sync {
            store = nil
            lock = nil
        }
    }

    private func checkpoint(_ database: YapDatabase?) throws {
        guard let store, let database else { return }
        _ = try store.handle.checkpoint(.passive)
        guard let size = store.handle.logSize, size >= limit else { return }
        try makeRoom(database, store)
        guard let remaining = store.handle.logSize, remaining >= limit else { return }
        database.warnOfReaders(logSize: remaining)
    }

    /// Lets the log start from its beginning although readers stay: while nobody can commit, copies what is left, and
    /// has every long-lived reader of this process that stands on the newest state begin again on the same state, which
    /// it then finds in the file alone. Readers of older states keep the log as it is.
    private func makeRoom(_ database: YapDatabase, _ store: Store) throws {
        try database.writeGate.pass {
            guard let lock else { return }
            _ = try lock.beginWrite()
            do {
                if try store.handle.checkpoint(.passive).isComplete { stepReadersOutOfLog(database) }
            } catch {
                try lock.rollback()
                throw error
            }
            try lock.rollback()
            // With a busy timeout of zero it does nothing when somebody is in the way.
            _ = try store.handle.checkpoint(.truncate)
        }
    }

    private func stepReadersOutOfLog(_ database: YapDatabase) {
        let group = DispatchGroup()
        let door = Door()
        for connection in database.connections.all {
            group.enter()
            connection.later {
                door.pass { connection.stepOutOfLog() }
                group.leave()
            }
        }
        _ = group.wait(timeout: .now() + Self.patience)
        door.close()
    }

    /// Whoever comes after it is closed does nothing: commits may be made again then.
    private final class Door: Sendable {
        private let isOpen = Locked(true)

        func pass(_ body: () -> Void) { isOpen.withLock { if $0 { body() } } }
        func close() { isOpen.withLock { $0 = false } }
    }
}

extension YapDatabase {
    /// Tells of the connections that keep the log from starting anew.
    fileprivate func warnOfReaders(logSize: Int) {
        guard let warn = options.logSizeWarning else { return }
        for connection in connections.all where connection.snapshot < snapshot {
            if connection.isInLongLivedReadTransaction() { warn(connection, logSize) }
        }
    }
}
