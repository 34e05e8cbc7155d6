/// Accepts or refuses the commits of a database, for example by asking a server. A commit is made in the file only after the authority has
/// accepted it.
///
/// This library contains no authority and no network code.
///
/// An authority runs the write transaction. When the transaction has written everything, the authority reads the changes as bytes, and then
/// commits the transaction or rolls it back. It writes rows that it fetches from elsewhere as bytes (`setStored`), in an ordinary transaction.
package protocol WriteAuthority: AnyObject, Sendable {
    /// Runs a write by ``YapDatabaseConnection/writeHere(_:confirming:)`` when it is the connection's turn to write. May run the body several
    /// times.
    func write<Value>(
        on connection: YapDatabaseConnection, _ body: (YapDatabaseReadWriteTransaction) throws -> Value
    ) throws -> Value

    /// The collections that are sent. A mutation changes their rows in the file at once, and its changes are sent later.
    var collections: YapDatabaseServerCollections { get }

    /// Called when a mutation begins to wait for its turn to write, and when it has ended. While a mutation waits, a transaction that waits for
    /// an unreachable server gives up its turn.
    func mutationWaits(_ isWaiting: Bool)
    /// Whether another process of the host has the file while it waits for the server. It gives way to a mutation once it knows that the server is
    /// away.
    var isAwaitedElsewhere: Bool { get }

    /// Called in the transaction of a mutation, before its commit, if the file does not follow this authority yet.
    func beginFollowing(in transaction: YapDatabaseReadWriteTransaction) throws

    /// Called when there may be mutations to send or to run again. Called on any thread.
    func mutationsChanged()

    /// Called when the database closes or was released: running and later writes end with an error. May be called twice, on any thread.
    /// - Parameter isWaiting: whether to wait for the end of the work in the background.
    func databaseCloses(isWaiting: Bool)

    /// Waits until the rows that are being fetched are in the file, or cannot be fetched.
    func waitUntilIdle() async
}

extension YapDatabaseConnection {
    /// The running write's wait for its turn. Cancelling the task of an async write ends the wait; the wait of a sync write is never ended.
    package var lockWait: LockWait { get throws { try store().lockWait } }

    /// Writes changes that the database's ``WriteAuthority`` has already, without asking it. Waits for the connection's turn to write, but not
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
