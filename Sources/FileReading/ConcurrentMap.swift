import Dispatch
import FileEngine
import Foundation

extension Array where Element: Sendable {
    /// The elements that a thread takes at once: so many that taking them costs nothing beside the work.
    private static var share: Int { 16 }

    /// Returns the results of a closure for all elements, in their order, computed on all processors.
    func mapConcurrently<Value: Sendable>(_ body: @Sendable (Element) throws -> Value) throws -> [Value] {
        let shares = (count + Self.share - 1) / Self.share
        guard shares > 1, ProcessInfo.processInfo.activeProcessorCount > 1 else { return try map(body) }
        let results = Locked<[Int: Result<[Value], any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: shares) { number in
            let part = self[number * Self.share..<Swift.min(count, (number + 1) * Self.share)]
            let result = Result { try part.map(body) }
            results.withLock { $0[number] = result }
        }
        let made = results.withLock { $0 }
        return try (0..<shares).flatMap { try made[$0]?.get() ?? [] }
    }
}
