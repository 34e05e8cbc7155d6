import Dispatch
import Foundation

/// Runs pieces of work on several threads and passes on their results in the order in which the pieces were added.
///
/// Pieces are added on one thread. Few are under way at a time, so memory stays bounded.
package final class OrderedWork<Value: Sendable> {
    private let deliver: (Value) throws -> Void
    private var underWay: [Piece] = []

    private final class Piece: Sendable {
        let value = Locked<Value?>(nil)
        let done = DispatchSemaphore(value: 0)
    }

    /// The most pieces that are under way or wait to be passed on. With one core, threads gain nothing.
    private static var limit: Int {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return cores < 2 ? 0 : min(2 * cores, 16)
    }

    private let limit = OrderedWork.limit

    /// - Parameter take: gets the result of each piece, on the thread that adds pieces.
    package init(deliver: @escaping (Value) throws -> Void) { self.deliver = deliver }

    /// Adds a piece of work. If many are under way, passes on finished ones first.
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

    /// Waits for all pieces and passes on their results.
    package func finish() throws {
        while !underWay.isEmpty { try takeFirst() }
    }

    private func takeFirst() throws {
        let piece = underWay.removeFirst()
        piece.done.wait()
        if let value = piece.value.withLock({ $0 }) { try deliver(value) }
    }
}
