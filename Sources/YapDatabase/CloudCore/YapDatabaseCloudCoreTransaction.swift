import FileEngine
import Foundation
import ListChanges

/// A transaction's access to a ``YapDatabaseCloudCore``.
///
/// A read transaction sees the operations of its snapshot; a read-write transaction sees its own changes too. The places of graphs
/// do not change inside a transaction: one that becomes empty goes with the commit.
public final class YapDatabaseCloudCoreTransaction: YapDatabaseExtensionTransaction, TransactionHooks {
    let cloud: YapDatabaseCloudCore
    let tables: CloudCoreTables
    private let state: CloudCoreState?
    /// The operations after this transaction's changes; nil if there are none.
    private var edited: CloudQueue?
    private var knowsMapping: Bool?
    /// URIs that wait for rows that this transaction may insert.
    var waitingURIs: [RowKey: [String]] = [:]

    init(
        _ cloud: YapDatabaseCloudCore, _ state: CloudCoreState?, name: String, transaction: YapDatabaseReadTransaction
    ) {
        self.cloud = cloud
        self.state = state
        tables = CloudCoreTables(transaction.store, extension: name)
        super.init(name: name, transaction: transaction)
    }

    /// The operations as the transaction sees them.
    var queue: CloudQueue { edited ?? state?.queue(cloud) ?? CloudQueue() }

    /// Changes the operations, and has the pipelines follow after the commit.
    func edit(_ body: (inout CloudQueue) -> Void) {
        if edited == nil {
            edited = queue
            let writer = transaction as? YapDatabaseReadWriteTransaction
            writer?.addCompletionQueue(cloud.queue) { [weak cloud] in cloud?.later() }
        }
        body(&edited!)
    }

    // MARK: Hooks

    package func register(previous: RegisteredExtension?, progress: Progress?) throws {
        let stored = try CloudCoreRegistration(cloud, tables, name: name).run(previous)
        edit { $0 = stored }
    }

    package func didInsert(_ row: ChangedRow) throws {
        guard let uris = waitingURIs.removeValue(forKey: row.key) else { return }
        for uri in uris { try tables.attach(uri, to: row.rowid) }
    }

    package func didRemove(_ rows: [RemovedRow]) throws {
        guard try hasMapping() else { return }
        try tables.removeMappings(of: rows.map(\.rowid))
    }

    /// Whether rows may be attached: support may have been enabled by an earlier launch.
    private func hasMapping() throws -> Bool {
        if let knowsMapping { return knowsMapping }
        let found = try tables.has(.mapping)
        knowsMapping = found
        return found
    }

    /// Operations, tags and attached URIs go with all rows, as in the original.
    package func didRemoveAll() throws {
        try tables.removeAllOperations()
        if try tables.has(.tags) { try tables.removeAllTags() }
        if try hasMapping() { try tables.removeAllMappings() }
        waitingURIs = [:]
        edit { $0.removeAll() }
    }

    package func prepareCommit() throws { edited?.endTransaction() }

    package var commitState: (any ExtensionState)? { edited.map { CloudCoreState($0) } }

    func readWriteTransaction(_ caller: String) -> YapDatabaseReadWriteTransaction {
        guard let transaction = transaction as? YapDatabaseReadWriteTransaction else {
            fatalError("\(caller) changes what is stored, so it needs a read-write transaction.")
        }
        return transaction
    }
}
