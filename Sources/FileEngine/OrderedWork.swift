import Dispatch
import Foundation
import Synchronization

/// Runs pieces of work on several threads and passes on their results in the order in which the pieces were added.
///
/// Pieces are added on one thread. Few are under way at a time, so memory stays bounded.
package final class OrderedWork<Value: Sendable> {
    private let deliver: (Value) throws -> Void
    private var underWay: [Piece] = []

    private final class Piece: Sendable {
        private let work: @Sendable () -> Value
        private let isBegun = Atomic(false)
        private let value = Locked<Value?>(nil)
        private let done = DispatchSemaphore(value: 0)

        init(_ work: @escaping @Sendable () -> Value) { self.work = work }

        var hasBegun: Bool { isBegun.load(ordering: .relaxed) }

        /// Does the work, unless another thread has begun it.
        func run() {
            guard !isBegun.exchange(true, ordering: .acquiringAndReleasing) else { return }
            let value = work()
            self.value.withLock { $0 = value }
            done.signal()
        }

        /// The result. The calling thread does the work itself if no other has begun it, so it never waits for a thread.
        func result() -> Value? {
            run()
            done.wait()
            return value.withLock { $0 }
        }
    }

    /// The most pieces that are under way or wait to be passed on. With one core, threads gain nothing.
    private static var limit: Int {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return cores < 2 ? 0 : min(2 * cores, 16)
    }

    private let limit = OrderedWork.limit

    /// - Parameter deliver: gets the result of each piece, on the thread that adds pieces.
    package init(deliver: @escaping (Value) throws -> Void) { self.deliver = deliver }

    /// Adds a piece of work. If many are under way, passes on finished ones first.
    package func add(_ work: @escaping @Sendable () -> Value) throws {
        guard limit > 0 else { return try deliver(work()) }
        if underWay.count >= limit { try takeFirst() }
        let piece = Piece(work)
        underWay.append(piece)
        DispatchQueue.global(qos: .userInitiated).async { piece.run() }
    }

    /// Waits for all pieces and passes on their results.
    package func finish() throws {
        while !underWay.isEmpty { try takeFirst() }
    }

    private func takeFirst() throws {
        let first = underWay.removeFirst()
        // Instead of waiting while another thread works on the first piece, this thread does the last one, which the others would reach last.
        if first.hasBegun { underWay.last?.run() }
        if let value = first.result() { try deliver(value) }
    }
}
