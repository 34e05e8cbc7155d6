import Dispatch
import Foundation
import FileEngine

/// Notices when others commit to a file, without asking around while nothing happens.
///
/// A commit writes to the log and then, a moment later, to the log's index, which says that it is one. The first wakes
/// the watch; then it looks at growing intervals. `ForeignCommitWatch` does the like for a database that is open to be
/// written: it has the log for itself to watch, and a connection to ask; here logs come and go, and nothing stays open.
package final class Following: @unchecked Sendable {
    // @unchecked: what changes is touched on `queue` only.

    /// Milliseconds between looks after a write.
    private static let intervals = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

    private let queue = DispatchQueue(label: "following a file")
    private let onCommit: @Sendable () -> Void
    private var watch: FolderWatch?
    /// The state that is looked at; nil while a commit has been told and no newer state been taken.
    private var snapshot: FileSnapshot?
    /// The state that was looked at when a commit was told, until a newer one is taken.
    private var told: FileSnapshot?
    /// Counts the series of looks, so that a new one ends the one before.
    private var series = 0
    private var attempt = 0
    /// When the next commit is told at the soonest.
    private var restsUntil = DispatchTime.now()
    /// Whether it has been seen to that the snapshot is let go of between two reads.
    private var hasLetGo = false
    /// Seconds in which a state of a long log is held yet.
    private var patience = usualPatience
    private static let usualPatience = 0.15

    /// - Parameter onCommit: called once, on a queue of its own, when the file is no longer in the snapshot's state; and
    ///   again after ``look(at:)``.
    package init(_ snapshot: FileSnapshot, onCommit: @escaping @Sendable () -> Void) throws {
        self.onCommit = onCommit
        self.snapshot = snapshot
        let file = URL(filePath: snapshot.path).resolvingSymlinksInPath()
        let name = file.lastPathComponent
        watch = try FolderWatch(
            folder: file.deletingLastPathComponent().path, names: [name, name + "-wal"], queue: queue
        ) { [weak self] in self?.wake() }
        queue.async { self.begin() }
    }

    /// Looks at a newer state from now on. Commits since then are told as soon as some seconds have passed.
    /// - Parameter patience: seconds in which the state is held though its log is long, so that work under way gets on.
    package func look(at snapshot: FileSnapshot, after delay: Double = 0, patience: Double? = nil) {
        queue.async {
            self.patience = patience ?? Self.usualPatience
            (self.snapshot, self.told) = (snapshot, nil)
            self.hasLetGo = false
            self.restsUntil = .now() + delay
            self.begin()
        }
    }

    /// Tells of no commit that is not being told already.
    package func stop() {
        queue.async {
            (self.snapshot, self.told) = (nil, nil)
            self.watch = nil
        }
    }

    private func wake() {
        // Who was told may take long, as one who prints into a pipe.
        if let told { letGoOfLongLog(told) }
        // While it rests, the next look is on its way.
        if restsUntil > .now(), attempt == 0, series > 0, snapshot != nil { return }
        // A busy writer wakes the watch with every page: the looks under way are frequent enough at first.
        if attempt == 0 || attempt > 3 { begin() }
    }

    private func begin() {
        series += 1
        attempt = 0
        look(series)
    }

    private func look(_ current: Int) {
        guard let snapshot, current == series else { return }
        letGoOfLongLog(snapshot)
        guard restsUntil <= .now() else {
            return queue.asyncAfter(deadline: restsUntil) { [weak self] in self?.look(current) }
        }
        if !snapshot.isNewest {
            (self.snapshot, told) = (nil, snapshot)
            attempt = 0
            return onCommit()
        }
        guard attempt < Self.intervals.count else { return attempt = 0 }
        let interval = Self.intervals[attempt]
        attempt += 1
        queue.asyncAfter(deadline: .now() + .milliseconds(interval)) { [weak self] in self?.look(current) }
    }

    /// A program whose log is long waits for its readers before it begins it from its beginning.
    private func letGoOfLongLog(_ snapshot: FileSnapshot) {
        guard !hasLetGo, snapshot.isInLongLog else { return }
        hasLetGo = true
        queue.asyncAfter(deadline: .now() + patience) { snapshot.loosen() }
    }
}
