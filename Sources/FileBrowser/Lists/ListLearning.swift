import Dispatch
import YapDatabase

/// Finds out in the background how many rows a list has and where they are.
package final class ListLearning: Sendable {
    private let isCancelled = Locked(false)
    private static let queue = DispatchQueue(label: "FileBrowser learning", attributes: .concurrent)

    /// Starts at once.
    /// - Parameter progress: called now and then, and at the end with true, on a queue of its own. Not after `cancel()`,
    ///   except for a call that is under way. An error ends it: the list stays as far as it is known.
    package init(_ content: ListContent, progress: @escaping @Sendable (_ isDone: Bool, _ error: (any Error)?) -> Void)
    {
        Self.queue.async { [self] in
            do {
                try content.learn(isCancelled: { self.isCancelled.withLock { $0 } }) { progress(false, nil) }
                if !isCancelled.withLock({ $0 }) { progress(true, nil) }
            } catch {
                if !isCancelled.withLock({ $0 }) { progress(true, error) }
            }
        }
    }

    package func cancel() { isCancelled.withLock { $0 = true } }
}

extension ListContent {
    /// Learns all there is to know of the list, on the caller's thread.
    package func learn(isCancelled: () -> Bool = { false }, progress: () -> Void = {}) throws {
        var told = ContinuousClock.now
        for group in groups {
            guard let source = sources[group] else { continue }
            while !isCancelled(), try snapshot.work({ try source.learn($0) }) {
                guard ContinuousClock.now - told > .milliseconds(100) else { continue }
                told = .now
                progress()
            }
        }
    }
}
