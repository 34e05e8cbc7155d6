import Dispatch
import Foundation
import ListChanges
import Synchronization

/// A queue that runs one body at a time and knows which thread is inside: a connection, or the gate for writers.
///
/// A call that would wait forever stops the program with a sentence instead: one for the queue that the thread is in, and one that
/// closes a circle of threads of which each is inside a queue that the one before it waits for.
final class SerialQueue: Sendable {
    /// Which calls of the user end here, for the sentence.
    enum Kind { case connection, writers }

    private let queue: DispatchQueue
    private let kind: Kind
    private let thread = Atomic<UInt>(noThread)
    private static let noThread: UInt = 0

    init(_ label: String, _ kind: Kind) {
        queue = DispatchQueue(label: label)
        self.kind = kind
    }

    var isEnteredByCurrentThread: Bool { thread.load(ordering: .relaxed) == Self.currentThread }

    /// Waits for its turn and runs the body. Costs two looks at a lock more where the thread is inside another queue.
    func sync<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard Depth.current > 0 else { return try queue.sync { try during(body) } }
        wait()
        return try queue.sync {
            endWait()
            return try during(body)
        }
    }

    /// Runs the body later.
    func async(_ body: @escaping @Sendable () -> Void) { queue.async { self.during(body) } }

    private func during<Value>(_ body: () throws -> Value) rethrows -> Value {
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

// MARK: Circles

extension SerialQueue {
    /// Which queue each thread waits for that is inside another one. Under one lock, so that of two threads that begin to wait at
    /// once the later one sees both.
    private static let waits = Locked<[UInt: SerialQueue]>([:])

    private func wait() {
        let current = Self.currentThread
        let circle = Self.waits.withLock { waits -> [Kind]? in
            waits[current] = self
            var (queue, kinds) = (self, [kind])
            // Each thread waits once, so that a longer way has come back already.
            for _ in 0...waits.count {
                let thread = queue.thread.load(ordering: .relaxed)
                if thread == current { return kinds }
                guard thread != Self.noThread, let next = waits[thread] else { return nil }
                queue = next
                kinds.append(next.kind)
            }
            return nil
        }
        guard let circle else { return }
        if circle.contains(.writers) {
            fatalError(
                "A sync call on a connection was made inside a read-write transaction of another one, but the connection has a "
                    + "write of its own to do first, and that waits for this one to end. Both would wait forever: use the "
                    + "transaction at hand, an async call, or a connection that has nothing to write.")
        }
        fatalError(
            "Transactions of \(circle.count) connections wait for each other in a circle, each with a sync call on the next one. All "
                + "would wait forever: use the transaction at hand, or an async call.")
    }

    private func endWait() { Self.waits.withLock { $0[Self.currentThread] = nil } }
}

/// How many serial queues the current thread is inside of.
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
