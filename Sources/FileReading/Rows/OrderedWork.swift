import Dispatch
import Foundation
import FileEngine

/// Does work on several threads, and hands on what comes of it in the order in which the work was given.
///
/// One thread gives it. Little is under way at a time, so memory stays bounded.
package final class OrderedWork<Value: Sendable> {
    private let deliver: (Value) throws -> Void
    private var underWay: [Piece] = []

    private final class Piece: Sendable {
        let value = Locked<Value?>(nil)
        let done = DispatchSemaphore(value: 0)
    }

    /// Pieces that are worked on or wait to be handed on. On one core there is nothing to be gained by threads.
    private static var limit: Int {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return cores < 2 ? 0 : min(2 * cores, 16)
    }

    private let limit = OrderedWork.limit

    /// - Parameter deliver: gets what came of each piece, on the thread that gives the work.
    package init(deliver: @escaping (Value) throws -> Void) { self.deliver = deliver }

    /// Gives a piece of work; before, hands on what is done where a lot is under way.
    package func add(_ work: @escaping @Sendable () -> Value) throws {
        guard limit > 0 else { return try deliver(work()) }
        if underWay.count >= limit { try takeFirst() }
        let piece = Piece()
        underWay.append(piece)
        DispatchQueue.global(qos: .userInitiated).async {
            let value = work()
            piece.value.withLock { $0 = value }
            piece.done.signal()
        }
    }

    /// Waits for all that is under way, and hands it on.
    package func finish() throws {
        while !underWay.isEmpty { try takeFirst() }
    }

    private func takeFirst() throws {
        let piece = underWay.removeFirst()
        piece.done.wait()
        if let value = piece.value.withLock({ $0 }) { try deliver(value) }
    }
}
