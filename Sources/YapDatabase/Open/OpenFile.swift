import Dispatch
import Foundation
import Synchronization

/// The claim of one database object on one file. A second claim in the same process is refused: two sets of caches and
/// commit records for one file would not know of each other.
final class OpenFile: Sendable {
    let path: String
    private let isHeld = Atomic(true)
    /// The SQLite handles that have the file open.
    private let handles = DispatchGroup()
    private static let claimed = Locked<Set<String>>([])

    init(_ url: URL) throws {
        guard url.isFileURL else {
            throw YapDatabaseError(.cannotOpen, "\(url) is not the URL of a file.")
        }
        let path = Self.canonicalPath(url)
        guard Self.claimed.withLock({ $0.insert(path).inserted }) else {
            throw YapDatabaseError(
                .alreadyOpen,
                "\(path) is open already in this process. Use the database object that opened it, or close it first.")
        }
        self.path = path
    }

    deinit { release() }

    /// Whether a database object of this process has the file open.
    static func isClaimed(_ url: URL) -> Bool {
        let path = canonicalPath(url)
        return claimed.withLock { $0.contains(path) }
    }

    /// Whether the path leads to a file of a database that is open in this process, or to one beside it, by whatever name.
    static func isPart(_ path: String) -> Bool {
        let identity = FileIdentity(ofFile: path)
        return claimed.withLock { $0 }.contains { claimed in
            ["", "-wal", "-shm", "-journal", "-commits"].contains { suffix in
                claimed + suffix == path || identity != nil && FileIdentity(ofFile: claimed + suffix) == identity
            }
        }
    }

    /// Counts one more handle as open, until the returned closure is called.
    func enter() -> @Sendable () -> Void {
        handles.enter()
        return { [handles] in handles.leave() }
    }

    /// Waits until every counted handle is closed. All of them must be on their way: a connection whose last reference went
    /// away on another thread can be found by nobody, and is closed when that thread is done with it.
    func waitForHandles() { handles.wait() }

    func release() {
        guard isHeld.exchange(false, ordering: .acquiringAndReleasing) else { return }
        Self.claimed.withLock { _ = $0.remove(path) }
    }

    /// One text for one file, however it is named. The file itself need not exist yet.
    static func canonicalPath(_ url: URL) -> String {
        let url = url.standardizedFileURL
        let folder = url.deletingLastPathComponent().resolvingSymlinksInPath()
        return folder.appending(path: url.lastPathComponent).resolvingSymlinksInPath().path
    }
}
