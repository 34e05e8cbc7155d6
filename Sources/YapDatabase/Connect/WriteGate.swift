import ListChanges

/// Lets one writer of this process in at a time, in the order of arrival. Writers of other processes are kept out by
/// SQLite's lock.
final class WriteGate: Sendable {
    let queue = SerialQueue("YapDatabase writer", .writers)

    func pass<Value>(_ body: () throws -> Value) rethrows -> Value {
        require(
            !queue.isEnteredByCurrentThread,
            "A read-write transaction was asked for inside another one of the same database. It would wait forever: "
                + "use the transaction at hand.")
        return try queue.sync(body)
    }
}
