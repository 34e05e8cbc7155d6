import Dispatch

/// Lets one writer of this process in at a time, in the order of arrival. Writers of other processes are kept out by
/// SQLite's lock.
final class WriteGate: Sendable {
    private let queue = DispatchQueue(label: "YapDatabase writer")
    private let occupant = Occupant()

    /// Whether the calling thread is inside.
    var isEnteredByCurrentThread: Bool { occupant.isCurrentThread }

    func pass<Value>(_ body: () throws -> Value) rethrows -> Value {
        precondition(
            !occupant.isCurrentThread,
            "A read-write transaction was asked for inside another one of the same database. It would wait forever: "
                + "use the transaction at hand.")
        return try queue.sync { try occupant.during(body) }
    }
}
