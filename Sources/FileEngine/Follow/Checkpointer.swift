import Dispatch
import Foundation
import SQLiteBridge
import Synchronization

/// Copies pages from the write-ahead log to the file, beside the writers, on its own queue and handles.
///
/// A passive checkpoint neither waits nor blocks. After it has copied everything and while no reader uses the log, the log
/// can restart at its beginning. With long-lived readers and a continuous writer that moment never comes by itself, so
/// `restartLog` forces it when the log is long.
package final class Checkpointer: @unchecked Sendable {
    // @unchecked: everything that changes is touched on `queue` only.

    /// Pages in the log at which a checkpoint is worth its disk syncs: SQLite's own number for the usual size of a log, and half of it for short ones.
    private static let thresholds = 500...1_000
    /// Milliseconds that writers wait at most while readers leave the log; doubled after each failed attempt.
    private static let patience = 40...400
    /// After an attempt the next one begins when so many times the time has passed that it took, or earlier if the log has grown to ``growth``
    /// sizes; if readers of this process stay, as soon as it is too long again, or by a quarter longer than a failed attempt left it.
    private static let rest = 40
    /// To so many times the size that is aimed at the log may grow if no reader of this process stays on a state, and if that takes at most a
    /// part of what is free on the disk: a log that fills the disk makes commits fail.
    private static let (growth, partOfDisk) = (16, 4)
    /// Milliseconds for which no process may commit after everything was copied, so that other processes notice it. Their watch looks
    /// 32 ms apart at most for a third of a second after a write.
    private static let notice = 48
    /// Milliseconds in which readers that do not stay leave the log.
    private static let moment = 10

    /// Milliseconds until a reader is expected to have moved that kept an attempt from copying.
    private static let pause = 100

    /// Before writers are held, the log is copied so many times at most, until so few pages are left.
    private static let (passes, fewPages) = (3, 64)

    private let queue = DispatchQueue(label: "YapDatabase checkpoints", qos: .utility)
    private var store: Store?
    /// Holds the lock of writers during `restartLog`, while `store` copies. Opened when it is needed first.
    private var lock: Store?
    private let file: OpenFile
    private let options: any FileOptions
    private let limit, threshold: Int
    /// Bytes of log at which the next restart is attempted. Above the limit after a failed attempt, so that a reader that
    /// never moves does not delay writers repeatedly.
    private var nextSize: Int
    /// Milliseconds that the next attempt may take.
    private var patience = Checkpointer.patience.lowerBound
    /// When the next attempt is made although the log has not grown.
    private var nextTime = DispatchTime.now()
    /// The counter of the last commit after which the log could restart: the next commit begins it again.
    private var restarted: UInt32?
    /// How many milliseconds the last attempt took, in which it held writers.
    private var held = 0
    /// The state on which a reader of this process stayed in the last attempt, which failed.
    private var failedStay: Int?
    /// Whether the last checkpoint was left to another process.
    private var hasGivenWay = false
    /// Whether an attempt will be made then, also without a commit.
    private var restartsLater = false
    private let isScheduled = Atomic(false)
    /// After an attempt that left pages in the log, the next one waits until so many pages are not copied, or until the time
    /// ``nextAttempt``, in nanoseconds. Otherwise every commit would wake the queue while a reader stays, without any effect.
    private let nextPages = Atomic(0)
    private let nextAttempt = Atomic<UInt64>(0)
    /// Running and queued checkpoints.
    private let checkpoints = DispatchGroup()
    /// Bytes of log at which writers wait for the running checkpoint.
    private let maxSize: Atomic<Int>

    package init(_ file: OpenFile, options: any FileOptions) throws {
        store = try Self.newStore(file, options, busyTimeout: 0)
        (self.file, self.options) = (file, options)
        // A terabyte is effectively no limit, and sums with it do not overflow.
        limit = min(max(0, options.aggressiveWALTruncationSize), 1 << 40)
        threshold = min(max(Self.thresholds.lowerBound, limit / 4_096), Self.thresholds.upperBound)
        nextSize = limit
        maxSize = Atomic((Self.growth + 1) * limit)
    }

    /// A handle that has read the file, so that it knows the log and its locks.
    private static func newStore(_ file: OpenFile, _ options: any FileOptions, busyTimeout: Int) throws -> Store {
        let store = try Store(file, options: options, busyTimeout: busyTimeout, isCounted: false)
        _ = try store.beginRead()
        try store.rollback()
        return store
    }

    /// Schedules a checkpoint. Calls before it runs are merged.
    func schedule(for user: any FileUser) {
        guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async(group: checkpoints) { [self, weak user] in
            isScheduled.store(false, ordering: .releasing)
            file.borrowing {
                do {
                    try checkpoint(user)
                } catch {
                    // Harmless: the log keeps everything and a later commit tries again. A lasting error, such as a full
                    // disk, makes the next write throw.
                    user?.warn("A checkpoint of the write-ahead log failed and will be retried: \(error)")
                }
            }
        }
    }

    /// Schedules a checkpoint if the log is long.
    package func didCommit(_ store: Store, for user: any FileUser) {
        let pages = store.handle.pagesToCheckpoint
        guard pages >= threshold else { return }
        let isDue = pages >= nextPages.load(ordering: .relaxed)
        if isDue || DispatchTime.now().uptimeNanoseconds >= nextAttempt.load(ordering: .relaxed) {
            schedule(for: user)
        }
    }

    /// Delays a writer that is faster than the disk before its next transaction. Must be called outside the write gate. A
    /// single large write is not delayed.
    package func delayWriter(_ store: Store) {
        guard let logSize = store.handle.logSize, logSize >= maxSize.load(ordering: .relaxed) else { return }
        _ = checkpoints.wait(timeout: .now() + .milliseconds(Self.patience.lowerBound))
    }

    /// Copies what the log has, if no reader keeps it from that. Then the next commit begins the log again, unless one reads it.
    package func copyLog() throws {
        try queue.sync {
            try file.checkPlace()
            _ = try store?.handle.checkpoint(.passive)
        }
    }

    /// Waits for the checkpoint that runs, and for those that were scheduled.
    package func waitUntilIdle() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Closes the handles. If no other process has the file open, lets extensions store what makes the next opening quicker, and drops the
    /// commit records. A failure of either is harmless.
    package func close(storing: (Store) throws -> Void) {
        queue.sync {
            let isInPlace = (try? file.checkPlace()) != nil
            if isInPlace, !file.hasOthers, let store {
                try? storing(store)
                store.dropRecords()
            }
            store = nil
            lock = nil
        }
    }

    private func checkpoint(_ user: (any FileUser)?) throws {
        guard let store, let user else { return }
        // If another file has the name, its users share the log's index, and a checkpoint here would lose their pages.
        try file.checkPlace()
        defer { setNextAttempt(store.handle) }
        let presence = file.presence
        let isAlone = presence?.beginCheckpoint() ?? true
        defer { if isAlone { presence?.endCheckpoint() } }
        // The other process copies these pages too. It may also have been stopped: it is given way once.
        hasGivenWay = !isAlone && !hasGivenWay
        if hasGivenWay { return }
        let isCalm = store.handle.pagesToCheckpoint == 0
        _ = try store.handle.checkpoint(.passive)
        guard let size = store.handle.logSize, store.handle.changeCounter != restarted else { return }
        let stay = user.oldestStay
        let hasRoom = hasRoom
        let mayGrow = stay == nil && hasRoom
        // The log has restarted, perhaps through another process.
        guard size >= limit else { return setNextSize(limit, mayGrow) }
        let hasGrown = size >= nextSize && (!mayGrow || size >= Self.growth * limit)
        guard hasGrown || .now() >= nextTime else {
            if mayGrow { restartLater(user) }
            return
        }
        // A reader of this process that has not moved since the last attempt is not waited for again.
        if let stay, stay == failedStay { return didAttempt(user, leaving: size, hasGrown, mayGrow) }
        let start = DispatchTime.now()
        let remaining = try restartLog(user, store) ? 0 : store.handle.logSize ?? 0
        held = Int(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1_000_000
        // Writing over the log costs less than truncating it and letting it grow again. On a disk that is nearly full its room is needed.
        if remaining == 0, !hasRoom || logFileSize > 2 * (isCalm ? limit : size) {
            _ = try store.handle.checkpoint(.truncate)
        }
        restarted = remaining < limit ? store.handle.changeCounter : nil
        failedStay = remaining < limit ? nil : stay
        patience = remaining < limit ? Self.patience.lowerBound : min(2 * patience, Self.patience.upperBound)
        didAttempt(user, leaving: remaining, hasGrown, mayGrow)
    }

    private func didAttempt(_ user: any FileUser, leaving remaining: Int, _ hasGrown: Bool, _ mayGrow: Bool) {
        setNextSize(max(limit, remaining + remaining / 4), mayGrow)
        nextTime = .now() + .milliseconds(Self.rest * held)
        if remaining >= limit, hasGrown { user.readersHoldLog(ofSize: remaining) }
    }

    /// Restarts a log that is long when writers may be held again, also if nothing is committed any more.
    private func restartLater(_ user: any FileUser) {
        guard !restartsLater else { return }
        restartsLater = true
        queue.asyncAfter(deadline: nextTime) { [weak self, weak user] in
            guard let self else { return }
            restartsLater = false
            if let user { schedule(for: user) }
        }
    }

    private func setNextAttempt(_ handle: SQLiteHandle) {
        let pagesLeft = handle.pagesToCheckpoint
        // If the log gets too long before, that is not overlooked: there may be no commit after the next ones.
        let pagesUntilTooLong = handle.pagesUntilLog(has: limit)
        let pages = pagesUntilTooLong > 0 ? min(threshold, pagesUntilTooLong) : threshold
        nextPages.store(pagesLeft < threshold ? 0 : pagesLeft + pages, ordering: .relaxed)
        let next = DispatchTime.now() + .milliseconds(Self.pause)
        nextAttempt.store(next.uptimeNanoseconds, ordering: .relaxed)
    }

    private func setNextSize(_ size: Int, _ mayGrow: Bool) {
        nextSize = size
        maxSize.store((mayGrow ? max(size, Self.growth * limit) : size) + limit, ordering: .relaxed)
    }

    /// Lets the log restart although readers stay. While no process can commit, waits briefly for readers to reach the newest
    /// state, copies the remaining pages, and makes every long-lived reader of this process restart on the same state, which
    /// is then in the file alone. Readers on older states prevent the restart. If readers of other processes stay, those processes see
    /// that everything is copied and restart their own readers in the window that this one holds open for them (`followCopy`).
    /// - Returns: whether the next commit begins the log again.
    private func restartLog(_ user: any FileUser, _ store: Store) throws -> Bool {
        // A writer that is busy meanwhile adds pages, fewer each time.
        for _ in 0..<Self.passes where store.handle.pagesToCheckpoint > Self.fewPages {
            _ = try store.handle.checkpoint(.passive)
        }
        if let size = store.handle.logSize, size < limit { return true }
        // Opened before writers are held.
        let lock = try lockOfWriters()
        return try user.holdingWriters {
            let hasRestarted = try lock.whileWritersAreLocked {
                let deadline = DispatchTime.now() + .milliseconds(patience)
                guard try copyAll(store, until: deadline) else { return false }
                user.restartReaders(until: deadline)
                // Readers that do not stay leave by themselves.
                return waitForReaders(store, Self.moment) || waitForOthers(store)
            }
            return hasRestarted ?? false
        }
    }

    /// Opens the window for readers of other processes.
    /// - Returns: whether all of them left the log.
    private func waitForOthers(_ store: Store) -> Bool {
        guard file.hasOthers, let presence = file.presence, presence.openWindow() else { return false }
        defer { presence.closeWindow() }
        return waitForReaders(store, Self.notice)
    }

    /// Waits until no one reads the log. Everything is copied, so who begins to read needs the file alone, and the next commit begins the log
    /// again.
    private func waitForReaders(_ store: Store, _ milliseconds: Int) -> Bool {
        let deadline = DispatchTime.now() + .milliseconds(milliseconds)
        var pause = Pause()
        while store.handle.isLogRead {
            guard DispatchTime.now() < deadline else { return false }
            pause.sleep()
        }
        return true
    }

    /// Whether the disk has so much room that the log may grow; false if that is not known.
    private var hasRoom: Bool { freeRoom(at: file.path) >= UInt64(Self.partOfDisk * Self.growth * limit) }

    private var logFileSize: Int {
        var status = stat()
        return stat(file.path + "-wal", &status) == 0 ? Int(status.st_size) : 0
    }

    /// Restarts this process's readers on the same state, after another process has copied all of a long log, so that the log
    /// can restart.
    func followCopy(for user: any FileUser) {
        queue.async { [self, weak user] in file.borrowing { stepOutOfCopiedLog(user) } }
    }

    /// Writers of this process are not held: they may be waiting for the other process already.
    private func stepOutOfCopiedLog(_ user: (any FileUser)?) {
        guard let store, let user, let presence = file.presence, (try? file.checkPlace()) != nil else { return }
        _ = presence.inWindow {
            // Everything is copied only if every reader is on the newest state. A commit of this process may not be confirmed yet.
            let newest = user.newestVersions
            guard store.handle.pagesToCheckpoint == 0, newest.count == 1, newest[0].change == store.handle.changeCounter
            else { return }
            user.restartReaders(until: .now() + .milliseconds(Self.patience.lowerBound))
        }
    }

    /// The handle that locks out writers. It waits for its turn among other processes, which take the lock again within a millisecond.
    private func lockOfWriters() throws -> Store {
        let lock = try lock ?? Self.newStore(file, options, busyTimeout: Self.patience.lowerBound)
        self.lock = lock
        // There is none before the file is open.
        lock.line = file.line
        return lock
    }

    /// Copies as readers move on, while writers are locked out. Readers that follow commits do so soon, because no new commits arrive.
    private func copyAll(_ store: Store, until deadline: DispatchTime) throws -> Bool {
        var pause = Pause()
        while try !store.handle.checkpoint(.passive).isComplete {
            guard DispatchTime.now() < deadline else { return false }
            pause.sleep()
        }
        return true
    }
}

/// Pauses while writers are held: a reader in the way has often left at once, so the first ones are short.
private struct Pause {
    private var microseconds: UInt32 = 100

    mutating func sleep() {
        usleep(microseconds)
        microseconds = min(2 * microseconds, 1_000)
    }
}
