import Dispatch
import Synchronization

/// Counts commits, to know when a program rests that has committed much.
final class RestWatch: Sendable {
    /// Nothing is looked for after fewer commits; after so many if there was nothing to store.
    private static let (fewest, many) = (16, 1_000)
    private static let bytesOfCommit = 4_096

    private let count = Atomic(0)
    /// The count from which on a rest is looked for.
    private let due = Atomic(RestWatch.fewest)
    private let isLooking = Atomic(false)
    /// The count when everything was stored.
    private let stored = Atomic(0)

    var commits: Int { count.load(ordering: .relaxed) }

    /// Whether commits wait for a rest.
    var isWaiting: Bool { isLooking.load(ordering: .relaxed) }

    /// - Returns: whether the caller must look for a rest from now on.
    func didCommit() -> Bool {
        guard count.add(1, ordering: .relaxed).newValue >= due.load(ordering: .relaxed), !isWaiting else {
            return false
        }
        return !isLooking.exchange(true, ordering: .acquiringAndReleasing)
    }

    /// Looks for no rest until so many bytes are worth storing, and until there were some more commits.
    func wait(for bytes: Int) {
        let worth = stored.load(ordering: .relaxed) + (bytes + Self.bytesOfCommit - 1) / Self.bytesOfCommit
        due.store(bytes == 0 ? commits + Self.many : max(worth, commits + Self.fewest), ordering: .relaxed)
        isLooking.store(false, ordering: .releasing)
    }

    /// Whether the commits since everything was stored have written several times as much as so many bytes: each writes four pages or more.
    func isWorth(_ bytes: Int) -> Bool {
        bytes > 0 && (commits - stored.load(ordering: .relaxed)) * Self.bytesOfCommit >= bytes
    }

    func didStore() { stored.store(commits, ordering: .relaxed) }
}

/// What is stored while the program rests, so that the file is opened as quickly if the program is killed then: what ``close()`` stores.
///
/// Only if commits have written several times as much as that takes, and if no other process has the file open, whose next commit would end it. It
/// is a commit that changes no row. The log is copied before, so it begins again with this commit, and the next opening has little of it to read.
extension YapDatabase {
    /// How long there is no commit, at least, before the program rests.
    private static let rest = DispatchTimeInterval.milliseconds(250)

    func didCommitForRest() {
        guard rest.didCommit() else { return }
        let bytes = commitLog.latest.bytesToStore
        if rest.isWorth(bytes) { lookForRest() } else { rest.wait(for: bytes) }
    }

    private func lookForRest() {
        let seen = rest.commits
        recoveries.asyncAfter(deadline: .now() + Self.rest) { [weak file, weak self] in
            file?.borrowing {
                guard let self, self.rest.isWaiting else { return }
                if self.rest.commits == seen { self.storeAtRest() } else { self.lookForRest() }
            }
        }
    }

    /// Runs on the queue `recoveries`.
    func storeAtRest() {
        let newest = commitLog.latest
        let bytes = newest.bytesToStore
        rest.wait(for: bytes)
        guard rest.isWorth(bytes), memory == nil, authority == nil, !file.hasOthers, newest.isComplete else {
            return
        }
        do {
            try checkOpen()
            try checkpointer.copyLog()
            try newConnection().storeClosing(of: newest)
            rest.didStore()
        } catch let error as YapDatabaseError where error.code == .closed {
        } catch {
            Self.log(.warning, "The next opening of \(file.path) may take longer if the program is killed: \(error)")
        }
    }
}

extension Snapshot {
    /// About how many bytes extensions store in a rest. O(extensions)
    fileprivate var bytesToStore: Int { extensions.reduce(0) { $0 + $1.extension.sizeOfClosing($1.state) } }

    /// Whether all extensions are right and stored.
    fileprivate var isComplete: Bool { !needsRecovery && !isBehind && missing.isEmpty && displaced.isEmpty }
}

extension YapDatabaseConnection {
    /// Stores what extensions give for the newest state. Does nothing if a commit comes in between.
    fileprivate func storeClosing(of state: Snapshot) throws {
        try exclusively {
            let store = try store()
            let number = state.version.next.number
            // Before writers are kept waiting.
            let last = state.extensions.compactMap { entry in
                entry.extension.closing(entry.state, name: entry.name, number: number, in: store).map {
                    (entry.name, $0)
                }
            }
            guard !last.isEmpty else { return }
            try prepareWrite()
            try database.writeGate.pass {
                try writeHere { transaction in
                    guard transaction.snapshot.version == state.version, !transaction.hasWritten else { return }
                    for (name, storeIt) in last {
                        try storeIt()
                        transaction.hooks(ofExtension: name)?.didStoreClosing()
                    }
                }
            }
        }
    }
}
