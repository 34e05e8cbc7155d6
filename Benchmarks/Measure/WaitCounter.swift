import Foundation

/// The longest wait of a thread in a piece of work that is repeated many times.
///
/// Time in which the thread computes does not count as waiting, nor does time in which it could run while the system
/// gave the processor to another program: a busy machine is not the fault of a lock.
final class WaitCounter: @unchecked Sendable {
    // @unchecked: all mutable state is behind the lock.

    private let lock = NSLock()
    private var most = 0.0
    private var failure: (any Error)?

    func add(_ work: () throws -> Void) {
        let start = (Time.passed, Self.secondsOnQueueOrProcessor)
        let result = Result { try work() }
        let end = (Time.passed, Self.secondsOnQueueOrProcessor)
        lock.withLock {
            most = max(most, (end.0 - start.0) - (end.1 - start.1))
            if case .failure(let error) = result { failure = failure ?? error }
        }
    }

    /// Returns the longest wait in milliseconds. Throws the first error of the work.
    func longest() throws -> Double {
        try lock.withLock {
            if let failure { throw failure }
            return most * 1e3
        }
    }

    /// The system's account of this thread: the time that it ran or waited for a processor.
    private static var secondsOnQueueOrProcessor: Double {
        var text = [UInt8](repeating: 0, count: 100)
        let file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        let count = read(file, &text, text.count)
        let fields = String(decoding: text[..<max(0, count)], as: UTF8.self).split(separator: " ")
        return fields.prefix(2).reduce(0) { $0 + (Double($1) ?? 0) } / 1e9
    }
}
