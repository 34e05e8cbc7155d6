/// The turns of the processes that write to a file. A handle that begins to write asks when it may try to take the file's lock.
///
/// Used by one thread at a time between ``begin()`` and ``end(hasBegun:)``.
public protocol WriterTurns: AnyObject, Sendable {
    /// Called before the first attempt.
    /// - Returns: whether the attempt may be made at once; nil if another handle of the process waits in line, so that this one
    ///   waits for SQLite's lock alone.
    func begin() -> Bool?
    /// Called after an attempt that found the lock taken, and before one that may not be made at once: takes a place in line.
    func wait()
    /// Microseconds until the line is looked at again.
    var pause: Int { get }
    /// Called after each pause: moves up.
    /// - Returns: whether to try now.
    func moveUp() -> Bool
    /// Called after the last attempt: leaves the line.
    /// - Parameter hasBegun: whether the handle has the lock.
    func end(hasBegun: Bool)
}
