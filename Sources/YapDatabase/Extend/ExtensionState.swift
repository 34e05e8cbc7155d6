import FileEngine

/// What an extension derives, as of one snapshot: an immutable value, shared between connections.
package protocol ExtensionState: Sendable {
    /// Of a state that is read when it is first used, what a transaction has read of it; nil for any other state, which stands for itself.
    var known: (any ExtensionState)? { get }

    /// Returns whether these logs, which another process wrote and which may be wrong, can lead from the state before to
    /// this one; true where this cannot be decided.
    func isReached(from before: any ExtensionState, by logs: [any ExtensionLog]) -> Bool

    /// Whether the last rows that a log of another process names are where it says. Looks at a few of them only.
    func hasRows(of log: any ExtensionLog, name: String, in store: Store) throws -> Bool

    /// The state after commits of another process, made of this one; nil if the logs do not say enough, so that it is loaded.
    func advanced(by logs: [any ExtensionLog], of name: String, in store: Store) throws -> (any ExtensionState)?

    /// Whether the state remains as it is, whatever rows are written.
    var isFixed: Bool { get }

    /// Whether the state is complete in memory only: the file marks it as stale and has the one before.
    var isUnstored: Bool { get }

    /// Whether the file of this state has the pages that an other one, loaded from the file, has.
    func hasStoredPages(of other: any ExtensionState) -> Bool

    /// The log that leads from this state to the one after a commit of another process.
    /// - Parameter log: the other process's log, which leads there from the state in the file. This state may be ahead of that.
    func log(continuing log: any ExtensionLog) -> any ExtensionLog
}

/// What an extension did in one commit, carried by the commit record: an immutable value. A view's log is one.
package protocol ExtensionLog: Sendable {
    /// Bytes that it takes, roughly.
    var size: Int { get }
    /// The log for other processes; nil where they have to load the extension's state instead.
    var bytes: [UInt8]? { get }
    /// Whether the file has what the log says. If not, other processes are not told of it.
    var isStored: Bool { get }
    /// Whether the log is complete and names no rows but those that the caller knows to have changed.
    /// - Parameters:
    ///   - isOne: returns whether a row is known to have changed; nil if the log may name any row.
    ///   - allWereRemoved: whether all rows were removed before, so that the log may say so of any row.
    func names(only isOne: ((RowKey) -> Bool)?, afterAllWereRemoved allWereRemoved: Bool) -> Bool
}

extension ExtensionLog {
    package func names(only isOne: ((RowKey) -> Bool)?, afterAllWereRemoved allWereRemoved: Bool) -> Bool { true }
}

extension ExtensionState {
    package var known: (any ExtensionState)? { nil }
    package func isReached(from before: any ExtensionState, by logs: [any ExtensionLog]) -> Bool { true }
    package func hasRows(of log: any ExtensionLog, name: String, in store: Store) throws -> Bool { true }
    package func advanced(by logs: [any ExtensionLog], of name: String, in store: Store) throws -> (any ExtensionState)?
    { nil }
    package var isFixed: Bool { false }
    package var isUnstored: Bool { false }
    package func hasStoredPages(of other: any ExtensionState) -> Bool { true }
    package func log(continuing log: any ExtensionLog) -> any ExtensionLog { log }
}

extension ExtensionLog {
    package var bytes: [UInt8]? { nil }
    package var isStored: Bool { true }
}

/// What an extension remembers between the write transactions of this process.
protocol ExtensionMemory: AnyObject {
    /// Called after each commit: drops what is beyond the memory's limit.
    func trim()
}

/// The state of an extension that derives nothing.
struct NoState: ExtensionState {}

/// How an extension that follows from the rows gets right after programs that do not know it changed rows.
package enum ExtensionRecovery {
    /// The changed rows are placed in memory before any reader sees the state. The file gets it with a later commit.
    case placing
    /// Readers see the last right state without rows that are gone, until the next write has placed the changed rows.
    case writing
    /// It is missing until the next write has filled it again.
    case rebuilding
}

/// What a comparison of an extension with all rows found.
package struct RowComparison {
    /// Rows that are in the wrong place.
    var misplaced: [RowKey] = []
    /// Rows that do not exist. Of those, only the rowids are known.
    var gone: [Int64] = []
}
