import FileEngine
import Foundation
import ListChanges

/// One transaction's access to an extension, valid as long as the transaction. `transaction.ext("order")`
public class YapDatabaseExtensionTransaction {
    /// The name under which the extension is registered.
    public let name: String
    unowned let transaction: YapDatabaseReadTransaction
    /// Whether the rows that the extension leaves out became others in this transaction.
    var hasNewProblems = false

    init(name: String, transaction: YapDatabaseReadTransaction) {
        self.name = name
        self.transaction = transaction
    }

    // MARK: Called by the core in read-write transactions. An error that a hook throws fails the whole transaction.

    /// Creates, loads or repopulates the tables. `previous` is the entry of this name in `yap2`, nil if it is new.
    /// Repopulating updates `progress`, and throws when it is cancelled.
    func register(previous: RegisteredExtension?, progress: Progress?) throws {}
    /// Called before a row is set, replaced or touched, if the extension is an observer.
    func willChange(_ row: ComingRow) throws {}
    /// Called before rows that exist are removed, if the extension is an observer.
    func willRemove(_ keys: [RowKey]) throws {}
    /// Called before every row of every collection is removed, if the extension is an observer.
    func willRemoveAll() throws {}
    /// Like `register`, which it calls by default, for an extension that is filled from all rows of the database: it returns what
    /// takes them. Rows are read for several extensions at once, after each of them has begun.
    func beginRegister(previous: RegisteredExtension?, progress: Progress?) throws -> (any RowReceiver)? {
        try register(previous: previous, progress: progress)
        return nil
    }
    func didInsert(_ row: ChangedRow) throws {}
    /// The row exists before and after; `row.flags` says what was set, `row.isTouch` whether it was only touched.
    func didUpdate(_ row: ChangedRow) throws {}
    /// The rows are gone from `database2`; their rowids may be used again by the next insert.
    func didRemove(_ rows: [RemovedRow]) throws {}
    /// Every row of every collection is gone.
    func didRemoveAll() throws {}
    /// Whether the extension wants to change rows before the commit.
    var hasRowsToChange: Bool { false }
    /// Changes rows through the transaction, which calls the hooks of all extensions. Called before every `prepareCommit()`,
    /// until no extension has rows to change.
    func changeRows() throws {}
    /// Writes everything to the store. No other hook is called afterwards.
    func prepareCommit() throws {}

    /// The state of the snapshot that the commit makes, read after `prepareCommit()`; nil if it did not change.
    var commitState: (any ExtensionState)? { nil }
    /// What happened, for lists that follow the extension; nil if nothing did.
    var commitLog: (any ExtensionLog)? { nil }

    // MARK: Rows that cannot be decoded

    /// Takes a row in that was left out and that this program may be able to decode.
    func retry(_ row: ChangedRow) throws { try didInsert(row) }
    /// Takes a row out that a reader found and could not decode, if it cannot be decoded.
    func recheck(_ row: ChangedRow) throws {}
    /// The rows that the extension leaves out, as far as they are noted.
    func leftOutRows() throws -> [LeftOutRow] { try transaction.store.leftOutRows(extension: name) }
    /// Notes a row that an extension in memory leaves out.
    /// - Returns: false if the row is noted already.
    func keep(_ row: LeftOutRow) -> Bool { true }
    /// An extension in memory no longer leaves out a row.
    func endKeeping(_ rowid: Int64) {}

    // MARK: Called by the core after commits of programs that do not know the extension

    /// Gives rows the places that they should have: in a write, or in a transaction that completes a state in memory
    /// (``YapDatabaseReadWriteTransaction/isCompleting``).
    func place(_ rows: RowsToPlace) throws {}
    /// Whether ``place(_:)`` makes it right, if these are all rows that changed. If not, a write fills it again.
    func canPlace(_ rows: RowsToPlace) throws -> Bool { true }
    /// The rowids that it holds and that no row has. O(rows).
    func goneRows() throws -> [Int64] { [] }
    /// Compares what it holds with all rows, in a read transaction. Nil if it cannot, so that it is filled again.
    /// - Parameter check: called from time to time; throws to end the comparison.
    func compareWithRows(_ check: () throws -> Void) throws -> FoundRows? { nil }
    /// About how many rows ``compareWithRows(_:)`` reads.
    func numberOfRowsToCompare() throws -> Int { .max }

    // MARK: Called by the core in read transactions, if the app wants to know of changed blocks

    /// Rows about which the blocks can be asked again, at most `limit`, spread over those that the extension could hold. Empty if
    /// it has no blocks, or if their answers are not what it holds.
    func rowsToAskAbout(limit: Int) throws -> [Int64] { [] }
    /// Asks the blocks about a row again; nil if they agree with what the extension holds.
    func disagreement(aboutRow rowid: Int64) throws -> Disagreement? { nil }
}

/// Reading rows for the blocks of an extension: the one place that decides what happens to a row that cannot be decoded.
extension YapDatabaseExtensionTransaction {
    /// Returns what `decode` makes of a row; nil if the row cannot be decoded, so that the extension must leave it out.
    /// - Parameters:
    ///   - needs: the parts of the row that are decoded.
    ///   - decode: decodes the row, and calls no block of the app, whose errors mean something else.
    @inline(__always) func decoding<Content>(
        _ rowid: Int64, _ key: RowKey, _ needs: RowNeeds, _ decode: () throws -> Content
    ) throws -> Content? {
        let content: Content
        do {
            content = try decode()
        } catch {
            try leaveOut(rowid, key, needs, error)
            return nil
        }
        takeIn(rowid)
        return content
    }

    /// Notes that the extension does not leave out a row.
    @inline(__always) func takeIn(_ rowid: Int64) {
        guard let leftOut = transaction.leftOut, leftOut.hasRows else { return }
        leftOut.add(.back, rowid, of: name)
    }

    /// Whether the extension leaves the row out, so that its blocks have to be asked whatever was changed of it.
    func isLeftOut(_ rowid: Int64) -> Bool {
        guard let leftOut = transaction.leftOut, leftOut.hasRows else { return false }
        return leftOut.isOut(rowid, of: name)
    }

    /// Notes a row that cannot be decoded.
    /// - Throws: the error, if it is another one, and if the app wants it.
    func leaveOut(_ rowid: Int64, _ key: RowKey, _ needs: RowNeeds, _ error: any Error) throws {
        guard let cause = YapDatabaseError(undecodable: error), !transaction.failsOnUndecodableRows else { throw error }
        transaction.leftOut?.add(.out(key, needs.columns, cause), rowid, of: name)
    }

    /// Notes the rows that were met while the extension was filled.
    func leaveOut(_ found: UndecodableRows, _ needs: RowNeeds) {
        for row in found.rows { transaction.leftOut?.add(.out(row.key, needs.columns, row.error), row.rowid, of: name) }
        transaction.leftOut?.add(others: found.others, of: name)
    }
}

extension YapDatabaseReadTransaction {
    /// Whether extensions report a row that cannot be decoded as an error, instead of leaving it out.
    var failsOnUndecodableRows: Bool { connection.database.options.undecodableRows == .fail }

    /// Returns what is decoded of a row that an extension has; nil if that is impossible. Another program may have put it there, which can
    /// decode it.
    @inline(__always) func ifDecodable<Content>(_ decode: () throws -> Content) throws -> Content? {
        do {
            return try decode()
        } catch {
            guard YapDatabaseError(undecodable: error) != nil, !failsOnUndecodableRows else { throw error }
            return nil
        }
    }
}

extension RowNeeds {
    /// The columns that have these parts.
    var columns: RowColumns { self == .object ? .object : self == .metadata ? .metadata : .both }
}
