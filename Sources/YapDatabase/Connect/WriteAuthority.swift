/// What confirms the commits of a database outside of its file: with it, a commit is made in the file when something
/// else has accepted it.
///
/// The library itself has none, and knows no network.
///
/// An authority runs the transaction. When everything is written it reads the changes as bytes, and then lets the
/// commit be made or rolls it back. Rows that come from elsewhere are written as bytes (`setStored`) in an ordinary
/// transaction.
package protocol WriteAuthority: AnyObject, Sendable {
    /// Runs a write in the writers' turn, by ``YapDatabaseConnection/writeHere(_:confirming:)``, and may run the body
    /// several times.
    func write<Value>(
        on connection: YapDatabaseConnection, _ body: (YapDatabaseReadWriteTransaction) throws -> Value
    ) throws -> Value

    /// Which collections a mutation changes at once and sends later.
    var collections: YapDatabaseServerCollections { get }

    /// A mutation begins to wait for the writers' turn, or has ended: a transaction that waits for a server which does not answer gives way.
    func mutationWaits(_ isWaiting: Bool)

    /// Called in a mutation's transaction, before its commit, if the file follows nothing yet.
    func beginFollowing(in transaction: YapDatabaseReadWriteTransaction) throws

    /// There may be mutations to send, or to run again. Called on any thread.
    func mutationsChanged()

    /// The database closes or is gone: running and later writes end with an error. May be called twice, on any thread.
    /// - Parameter isWaiting: whether to return after the work in the background has ended.
    func databaseCloses(isWaiting: Bool)

    /// Waits until what is being fetched is in the file, or cannot be fetched.
    func waitUntilIdle() async
}

extension YapDatabaseConnection {
    /// By which the task that wants a write gives up waiting for it. Of a sync write it never ends.
    package var lockWait: LockWait { get throws { try store().lockWait } }

    /// Writes past the database's ``WriteAuthority`` what the authority has stored elsewhere: waits for the writers' turn, and not
    /// for the disk.
    package func writePastAuthority<Value>(
        _ body: (YapDatabaseReadWriteTransaction) throws -> Value,
        confirming confirm: @escaping (YapDatabaseReadWriteTransaction) throws -> Void = { _ in }
    ) throws -> Value {
        try exclusively {
            try database.writeGate.pass {
                try store().withoutWaitingForDisk { try writeHere(body, confirming: confirm) }
            }
        }
    }
}
