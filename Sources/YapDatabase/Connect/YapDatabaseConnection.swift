import Foundation

/// One connection: at most one transaction at a time, on one snapshot. Use several to read and write at once.
///
/// Transactions of one connection run one after the other, in the order in which they were asked for, whether sync or
/// async. Readers never wait for the writer.
public final class YapDatabaseConnection: @unchecked Sendable {
    // @unchecked: everything that changes is touched on `queue` only.

    public let database: YapDatabase
    let store: Store
    let queue: DispatchQueue
    /// The state that the last transaction saw.
    private(set) var snapshot: Snapshot

    init(database: YapDatabase, store: Store, snapshot: Snapshot) {
        self.database = database
        self.store = store
        self.snapshot = snapshot
        queue = DispatchQueue(label: "YapDatabaseConnection")
    }
}
