import Dispatch
import Foundation
import ListChanges
import Synchronization

/// A queue that runs one body at a time, in the order of the calls, and knows which thread runs it: of a connection, or of the writers.
///
/// A call that would deadlock stops the program with a message: a call for the queue that the thread is in, and a call that
/// closes a cycle of threads that wait for each other's queues.
///
/// A sync call that need not wait costs two locks. libdispatch's own, with the block that Swift makes for it, costs ten times as much, and a
/// row that moves takes four.
final class SerialQueue: Sendable {
    /// The user of the queue, for the message.
    enum Kind { case connection, writers }

    private let turns = Locked(Turns())
    /// Runs the async bodies, each when its turn comes.
    private let queue: DispatchQueue
    fileprivate let kind: Kind
    fileprivate let thread = Atomic<UInt>(noThread)
    fileprivate static let noThread: UInt = 0

    init(_ label: String, _ kind: Kind) {
        queue = DispatchQueue(label: label)
        self.kind = kind
    }

    /// Whether a body runs.
    var isEntered: Bool { thread.load(ordering: .relaxed) != Self.noThread }

    /// Whether the thread is in a body of any queue.
    static var isAnyEnteredByCurrentThread: Bool { Depth.current > 0 }

    var isEnteredByCurrentThread: Bool { thread.load(ordering: .relaxed) == Self.currentThread }

    /// Waits for its turn and runs the body. Inside another queue it also locks a mutex twice.
    func sync<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let isNested = Depth.current > 0
        if isNested { wait() }
        waitForTurn()
        if isNested { endWait() }
        defer { endTurn() }
        return try during(body)
    }

    /// Runs the body later.
    func async(_ body: @escaping @Sendable () -> Void) {
        later {
            self.during(body)
            self.endTurn()
        }
    }

    /// Runs the body later, inside this queue and another one. While it waits for the other queue, this queue's turn lasts and no thread is
    /// blocked.
    /// - Parameter prepare: runs in this queue's turn; returns false to cancel the call.
    func async(
        inside other: SerialQueue, prepare: @escaping @Sendable () -> Bool,
        inTurn body: @escaping @Sendable () -> Void
    ) {
        later { [self] in
            guard during(prepare) else { return endTurn() }
            stand(behind: other)
            other.later { [self] in
                endStand()
                other.during { during(body) }
                endTurn()
                other.endTurn()
            }
        }
    }

    private func during<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        thread.store(Self.currentThread, ordering: .relaxed)
        Depth.current += 1
        defer {
            Depth.current -= 1
            thread.store(Self.noThread, ordering: .relaxed)
        }
        return try body()
    }

    private static var currentThread: UInt { UInt(pthread_self()) }
}

// MARK: Turns

extension SerialQueue {
    private enum Waiter {
        case thread(DispatchSemaphore)
        case work(@Sendable () -> Void)
    }

    private struct Turns {
        private var isTaken = false
        /// In the order of the calls; nil for those before `next`, which had their turns.
        private var waiters: [Waiter?] = []
        private var next = 0

        /// - Returns: whether the turn is the caller's now; if not, the waiter gets a later one.
        mutating func take(or waiter: () -> Waiter) -> Bool {
            guard isTaken else {
                isTaken = true
                return true
            }
            waiters.append(waiter())
            return false
        }

        /// Ends a turn.
        /// - Returns: the waiter whose turn it is now, if there is one.
        mutating func pass() -> Waiter? {
            guard next < waiters.count else {
                isTaken = false
                return nil
            }
            let waiter = waiters[next].take()
            next += 1
            // Removes half of the array at a time, so that a turn costs O(1).
            if 2 * next >= waiters.count {
                waiters.removeFirst(next)
                next = 0
            }
            return waiter
        }
    }

    private func waitForTurn() {
        var turn: DispatchSemaphore?
        let isMine = turns.withLock { turns in
            turns.take {
                let semaphore = DispatchSemaphore(value: 0)
                turn = semaphore
                return .thread(semaphore)
            }
        }
        if !isMine { turn?.wait() }
    }

    /// Runs work in a later turn, which it must end.
    private func later(_ work: @escaping @Sendable () -> Void) {
        if turns.withLock({ $0.take { .work(work) } }) { queue.async(execute: work) }
    }

    private func endTurn() {
        switch turns.withLock({ $0.pass() }) {
        case .thread(let turn): turn.signal()
        case .work(let work): queue.async(execute: work)
        case nil: break
        }
    }
}

// MARK: Deadlock detection

extension SerialQueue {
    private struct Waits {
        /// The queue that each thread waits for while it is inside another queue. Few threads do, most of them for a moment.
        var threads: [(thread: UInt, queue: SerialQueue)] = []
        /// The queue that each suspended queue waits for.
        var queues: [ObjectIdentifier: SerialQueue] = [:]

        /// Returns the kinds of the queues in the cycle of waits that begins at a queue; nil if there is no cycle.
        func circle(from start: SerialQueue, isStart: (SerialQueue, UInt) -> Bool) -> [Kind]? {
            var (queue, kinds) = (start, [start.kind])
            // Each thread and queue waits for at most one queue, so a longer path must have reached a cycle.
            for _ in 0...threads.count + queues.count {
                let thread = queue.thread.load(ordering: .relaxed)
                if isStart(queue, thread) { return kinds }
                let next =
                    thread == SerialQueue.noThread
                    ? queues[ObjectIdentifier(queue)] : threads.first { $0.thread == thread }?.queue
                guard let next else { return nil }
                queue = next
                kinds.append(next.kind)
            }
            return nil
        }
    }

    /// The waits of all threads and queues. They are behind one lock, so that of two waits that would close a circle the later one sees both.
    private static let waits = Locked(Waits())

    private func wait() {
        let current = Self.currentThread
        let circle = Self.waits.withLock { waits -> [Kind]? in
            waits.threads.append((current, self))
            return waits.circle(from: self) { $1 == current }
        }
        if let circle { Self.stop(circle) }
    }

    private func endWait() {
        let current = Self.currentThread
        Self.waits.withLock { waits in
            guard let place = waits.threads.lastIndex(where: { $0.thread == current }) else { return }
            waits.threads.swapAt(place, waits.threads.count - 1)
            waits.threads.removeLast()
        }
    }

    private func stand(behind other: SerialQueue) {
        let circle = Self.waits.withLock { waits -> [Kind]? in
            waits.queues[ObjectIdentifier(self)] = other
            return waits.circle(from: other) { queue, _ in queue === self }
        }
        if let circle { Self.stop(circle) }
    }

    private func endStand() { Self.waits.withLock { $0.queues[ObjectIdentifier(self)] = nil } }

    private static func stop(_ circle: [Kind]) -> Never {
        if circle.contains(.writers) {
            fatalError(
                "A sync call on a connection was made inside a read-write transaction of another one, but the connection has a "
                    + "write of its own to do first, and that waits for this one to end. Both would wait forever: use the "
                    + "transaction at hand, an async call, or a connection that has nothing to write.")
        }
        fatalError(
            "Transactions of \(circle.count) connections wait for each other in a cycle, each with a sync call on the next one. All "
                + "would wait forever: use the transaction at hand, or an async call.")
    }
}

/// The number of serial queues that the current thread is inside.
private enum Depth {
    private static let key = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    static var current: Int {
        get { Int(bitPattern: pthread_getspecific(key)) }
        set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
    }
}

/// Admits one writer of this process at a time, in the order of requests. SQLite's lock excludes writers of other processes.
final class WriteGate: Sendable {
    let queue = SerialQueue("YapDatabase writer", .writers)
    let memory = WriterMemory()

    func pass<Value>(_ body: () throws -> Value) rethrows -> Value {
        require(
            !queue.isEnteredByCurrentThread,
            "A read-write transaction was requested inside another one of the same database. It would wait forever: "
                + "use the transaction at hand.")
        return try queue.sync(body)
    }
}
