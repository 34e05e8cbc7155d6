import Dispatch

/// What the engine asks of the object that has the file open.
package protocol FileUser: AnyObject, Sendable {
    /// Runs the body while no writer of this process is in a transaction.
    func holdingWriters<Value>(_ body: () throws -> Value) rethrows -> Value
    /// Has every reader that stays on the newest state begin again on the same state, and waits for them. A reader that comes
    /// later does nothing.
    func restartReaders(until deadline: DispatchTime)
    /// The log has so many bytes and cannot start again, because readers stay on older states.
    func warnOfReaders(logSize: Int)
    /// Something did not work that will be tried again.
    func warn(_ text: String)

    /// The newest version that this process has seen, and that of a commit that it is making.
    var newestVersions: [FileVersion] { get }
    /// The newest version, where another process made it.
    var newestForeignVersion: FileVersion? { get }
    /// Loads and announces what other processes committed.
    func loadForeignCommits() throws
}
