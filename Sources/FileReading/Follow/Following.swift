import Dispatch
import Foundation
import FileEngine

/// Notices when others commit to a file, without polling while nothing happens.
///
/// A commit writes to the log and then, a moment later, to the log's index, which makes it a commit. The first write
/// wakes the watch; after that it checks at growing intervals, until no page stands in the log that the index does not know: between the two is an
/// answer of the disk, which may take seconds. `ForeignCommitWatch` does the same for a database that
/// is open for writing: it watches only the log and has a connection to ask. Here logs come and go, and nothing stays
/// open.
package final class Following: @unchecked Sendable {
    // @unchecked: mutable state is accessed on `queue` only.

    /// Milliseconds between checks after a write.
    private static let intervals = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
    /// The further checks, a second apart, while a commit is on its way. A transaction that was given up can leave its pages, too.
    private static let lateChecks = 300

    private let queue = DispatchQueue(label: "following a file")
    private let onCommit: @Sendable () -> Void
    private var watch: Int?
    /// The state that is compared with; nil after a commit was reported, until a newer state is given.
    private var snapshot: FileSnapshot?
    /// The state at the time a commit was reported, until a newer one is given.
    private var notified: FileSnapshot?
    /// Counts the series of checks, so that a new series ends the one before.
    private var series = 0
    private var attempt = 0
    /// The earliest time to report the next commit.
    private var restsUntil = DispatchTime.now()
    /// Whether the snapshot has been told to release the log between two reads.
    private var hasLetGo = false
    /// Seconds for which a state of a long log is still held.
    private var patience = usualPatience
    private static let usualPatience = 0.15

    /// - Parameter onCommit: called once, on a private queue, when the file leaves the snapshot's state, and once again
    ///   after each ``look(at:)``.
    package init(_ snapshot: FileSnapshot, onCommit: @escaping @Sendable () -> Void) throws {
        self.onCommit = onCommit
        self.snapshot = snapshot
        let file = URL(filePath: snapshot.path).resolvingSymlinksInPath()
        let name = file.lastPathComponent
        watch = try FileWatch.shared().add([name, name + "-wal"], in: file.deletingLastPathComponent().path) {
            [weak self, queue] in
            queue.async { [weak self] in self?.wake() }
        }
        queue.async { self.begin() }
    }

    /// Compares with a newer state from now on. Commits since then are reported once `delay` seconds have passed.
    /// - Parameter patience: seconds for which the state is held although its log is long, so that work under way
    ///   progresses.
    package func look(at snapshot: FileSnapshot, after delay: Double = 0, patience: Double? = nil) {
        queue.async {
            self.patience = patience ?? Self.usualPatience
            (self.snapshot, self.notified) = (snapshot, nil)
            self.hasLetGo = false
            self.restsUntil = .now() + delay
            self.begin()
        }
    }

    /// Reports no further commits. A report under way is completed.
    package func stop() {
        queue.async {
            (self.snapshot, self.notified) = (nil, nil)
            FileWatch.end(&self.watch)
        }
    }

    deinit { FileWatch.end(&watch) }

    private func wake() {
        // The receiver of a report may be slow, for example if it prints into a pipe.
        if let notified { releaseLongLog(notified) }
        // During the rest, the next check is already scheduled.
        if restsUntil > .now(), attempt == 0, series > 0, snapshot != nil { return }
        // A busy writer wakes the watch with every page; the checks under way are frequent enough at first.
        if attempt == 0 || attempt > 3 { begin() }
    }

    private func begin() {
        series += 1
        attempt = 0
        look(series)
    }

    private func look(_ current: Int) {
        guard let snapshot, current == series else { return }
        releaseLongLog(snapshot)
        guard restsUntil <= .now() else {
            return queue.asyncAfter(deadline: restsUntil) { [weak self] in self?.look(current) }
        }
        if !snapshot.isNewest {
            (self.snapshot, notified) = (nil, snapshot)
            attempt = 0
            return onCommit()
        }
        let isLate = attempt >= Self.intervals.count
        if isLate, attempt >= Self.intervals.count + Self.lateChecks || !snapshot.isBeingWritten {
            return attempt = 0
        }
        let interval = isLate ? 1_000 : Self.intervals[attempt]
        attempt += 1
        queue.asyncAfter(deadline: .now() + .milliseconds(interval)) { [weak self] in self?.look(current) }
    }

    /// Releases a long log: its program can restart the log only when no reader holds it.
    private func releaseLongLog(_ snapshot: FileSnapshot) {
        guard !hasLetGo, snapshot.isInLongLog else { return }
        hasLetGo = true
        queue.asyncAfter(deadline: .now() + patience) { snapshot.loosen(keepsChanges: true) }
    }
}
