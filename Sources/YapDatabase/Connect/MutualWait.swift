import Synchronization

/// Notices when the thread inside the write gate waits for a connection whose own turn waits for the gate: neither would ever
/// go on.
///
/// Each side says that it waits before it looks whether the other one does, so the later of the two sees both, whichever
/// that is. Each takes its word back inside of what it waited for, which it cannot reach while the other one waits: so both
/// are seen only when both wait for good. A circle over more than two connections is not noticed.
struct MutualWait: ~Copyable {
    private let isAtGate = Atomic(false)
    private let isAwaitedFromInside = Atomic(false)

    /// Runs a turn of the connection that has to pass the gate.
    func atGate<Value>(_ pass: (_ entered: () -> Void) throws -> Value) rethrows -> Value {
        try wait(isAtGate, pass)
    }

    /// Runs a call of the thread inside the gate that has to wait for the connection's queue.
    func fromInside<Value>(_ call: (_ entered: () -> Void) throws -> Value) rethrows -> Value {
        try wait(isAwaitedFromInside, call)
    }

    private func wait<Value>(
        _ flag: borrowing Atomic<Bool>, _ body: (_ entered: () -> Void) throws -> Value
    ) rethrows -> Value {
        flag.store(true, ordering: .sequentiallyConsistent)
        precondition(
            !isAtGate.load(ordering: .sequentiallyConsistent)
                || !isAwaitedFromInside.load(ordering: .sequentiallyConsistent),
            "A sync call on a connection was made inside a read-write transaction of another one, but the connection has a "
                + "write of its own to do first, and that waits for this one to end. Both would wait forever: use the "
                + "transaction at hand, an async call, or a connection that has nothing to write.")
        return try body { flag.store(false, ordering: .releasing) }
    }
}
