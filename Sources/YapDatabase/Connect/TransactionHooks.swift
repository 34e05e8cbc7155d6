import FileEngine
import Foundation

/// What the core asks of an extension inside a transaction. Each hook has a default: that of an extension that derives nothing.
///
/// Before rows change, observers get `will…`; after they are written, every extension gets `did…`, observers last. At the end
/// `changeRows()` runs while any extension `hasRowsToChange`, then `prepareCommit()`; then `commitState` and `commitLog` are put into the
/// `Commit`.
///
/// As with ``ExtensionHooks``, a class that conforms has no subclass.
package protocol TransactionHooks: YapDatabaseExtensionTransaction {
    // MARK: Called by the core in read-write transactions. An error that a hook throws fails the whole transaction.

    /// Creates, loads or repopulates the tables. `previous` is the entry of this name in `yap2`, nil if it is new.
    /// Repopulating updates `progress`, and throws when it is cancelled.
    func register(previous: RegisteredExtension?, progress: Progress?) throws
    /// Called before a row is set, replaced or touched, if the extension is an observer.
    func willChange(_ row: PendingWrite) throws
    /// Called before rows that exist are removed, if the extension is an observer.
    func willRemove(_ keys: [RowKey]) throws
    /// Called before every row of every collection is removed, observers last.
    func willRemoveAll() throws
    /// Like `register`, which it calls by default, for an extension that is filled from all rows of the database: it returns what
    /// takes them. Rows are read for several extensions at once, after each of them has begun.
    func beginRegister(previous: RegisteredExtension?, progress: Progress?) throws -> (any RowReceiver)?
    func didInsert(_ row: ChangedRow) throws
    /// The row exists before and after; `row.flags` says what was set, `row.isTouch` whether it was only touched.
    func didUpdate(_ row: ChangedRow) throws
    /// The rows are gone from `database2`; their rowids may be used again by the next insert.
    func didRemove(_ rows: [RemovedRow]) throws
    /// Every row of every collection is gone.
    func didRemoveAll() throws
    /// Whether the extension wants to change rows before the commit.
    var hasRowsToChange: Bool { get }
    /// Changes rows through the transaction, which calls the hooks of all extensions. Called before every `prepareCommit()`,
    /// until no extension has rows to change.
    func changeRows() throws
    /// Writes everything to the store. No other hook is called afterwards.
    func prepareCommit() throws

    /// Called in a transaction that stores what ``ExtensionHooks/closing(_:name:number:in:)`` gave for its state, and nothing else.
    func didStoreClosing()

    /// The state of the snapshot that the commit makes, read after `prepareCommit()`; nil if it did not change.
    var commitState: (any ExtensionState)? { get }
    /// What happened, for lists that follow the extension; nil if nothing did.
    var commitLog: (any ExtensionLog)? { get }

    // MARK: Rows that cannot be decoded

    /// Takes a row in that was left out and that this program may be able to decode.
    func retry(_ row: ChangedRow) throws
    /// Takes a row out that a reader found and could not decode, if it cannot be decoded.
    func recheck(_ row: ChangedRow) throws
    /// The rows that the extension leaves out, as far as they are noted.
    func leftOutRows() throws -> [LeftOutRow]
    /// Notes a row that an extension in memory leaves out.
    /// - Returns: false if the row is noted already.
    func keep(_ row: LeftOutRow) -> Bool
    /// An extension in memory no longer leaves out a row.
    func endKeeping(_ rowid: Int64)

    // MARK: Called by the core after commits of programs that do not know the extension

    /// Gives rows the places that they should have: in a write, or in a transaction that completes a state in memory
    /// (``YapDatabaseReadWriteTransaction/isCompleting``).
    func place(_ rows: RowsToPlace) throws
    /// Whether ``place(_:)`` makes it right, if these are all rows that changed. If not, a write fills it again.
    func canPlace(_ rows: RowsToPlace) throws -> Bool
    /// The rowids that it holds and that no row has. O(rows).
    func goneRows() throws -> [Int64]
    /// Compares what it holds with all rows, in a read transaction. Nil if it cannot, so that it is filled again.
    /// - Parameter check: called from time to time; throws to end the comparison.
    func compareWithRows(_ check: () throws -> Void) throws -> RowComparison?
    /// About how many rows ``compareWithRows(_:)`` reads.
    func numberOfRowsToCompare() throws -> Int

    // MARK: Called by the core in read transactions, if the app wants to know of changed blocks

    /// Rows about which the blocks can be asked again, at most `limit`, spread over those that the extension could hold. Empty if
    /// it has no blocks, or if their answers are not what it holds.
    func rowsToAskAbout(limit: Int) throws -> [Int64]
    /// Asks the blocks about a row again; nil if they agree with what the extension holds.
    func disagreement(aboutRow rowid: Int64) throws -> Disagreement?
}

extension TransactionHooks {
    package func register(previous: RegisteredExtension?, progress: Progress?) throws {}
    package func willChange(_ row: PendingWrite) throws {}
    package func willRemove(_ keys: [RowKey]) throws {}
    package func willRemoveAll() throws {}
    package func beginRegister(previous: RegisteredExtension?, progress: Progress?) throws -> (any RowReceiver)? {
        try register(previous: previous, progress: progress)
        return nil
    }
    package func didInsert(_ row: ChangedRow) throws {}
    package func didUpdate(_ row: ChangedRow) throws {}
    package func didRemove(_ rows: [RemovedRow]) throws {}
    package func didRemoveAll() throws {}
    package var hasRowsToChange: Bool { false }
    package func changeRows() throws {}
    package func prepareCommit() throws {}
    package func didStoreClosing() {}
    package var commitState: (any ExtensionState)? { nil }
    package var commitLog: (any ExtensionLog)? { nil }
    package func retry(_ row: ChangedRow) throws { try didInsert(row) }
    package func recheck(_ row: ChangedRow) throws {}
    package func leftOutRows() throws -> [LeftOutRow] { try transaction.store.leftOutRows(extension: name) }
    package func keep(_ row: LeftOutRow) -> Bool { true }
    package func endKeeping(_ rowid: Int64) {}
    package func place(_ rows: RowsToPlace) throws {}
    package func canPlace(_ rows: RowsToPlace) throws -> Bool { true }
    package func goneRows() throws -> [Int64] { [] }
    package func compareWithRows(_ check: () throws -> Void) throws -> RowComparison? { nil }
    package func numberOfRowsToCompare() throws -> Int { .max }
    package func rowsToAskAbout(limit: Int) throws -> [Int64] { [] }
    package func disagreement(aboutRow rowid: Int64) throws -> Disagreement? { nil }
}
