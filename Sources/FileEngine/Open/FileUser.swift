import Dispatch

/// What the engine requires of the object that has the file open.
package protocol FileUser: AnyObject, Sendable {
    /// Runs the body while no writer of this process is in a transaction.
    func holdingWriters<Value>(_ body: () throws -> Value) rethrows -> Value
    /// The number of the oldest state on which a reader of this process stays until it is told to move; nil if none stays.
    var oldestStay: Int? { get }
    /// Makes every reader of the newest state restart its transaction on the same state, and waits for them until the
    /// deadline. A reader that comes later does nothing.
    func restartReaders(until deadline: DispatchTime)
    /// Reports that the log has `logSize` bytes and cannot restart, because readers stay on older states.
    func readersHoldLog(ofSize logSize: Int)
    /// Reports a failure that will be retried.
    func warn(_ text: String)

    /// The newest version that this process knows and, during a commit, the one that it is committing.
    var newestVersions: [FileVersion] { get }
    /// How many commits this process has made so far.
    var commitCount: Int { get }
    /// Loads and announces the commits of other processes.
    func loadForeignCommits() throws
}
