import Dispatch

/// Where work is done that may take longer than a key should wait.
protocol Background: Sendable {
    /// Does the work after some seconds, and then tells the interface.
    func run<Value: Sendable>(
        after delay: Double,
        _ work: @escaping @Sendable () throws -> Value,
        then: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void)
}

extension Background {
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value,
        then: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void
    ) {
        run(after: 0, work, then: then)
    }
}

/// Work on threads of its own; results come through the main queue, which the event loop drains.
struct QueueBackground: Background {
    func run<Value: Sendable>(
        after delay: Double, _ work: @escaping @Sendable () throws -> Value,
        then: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void
    ) {
        // A queue for each: the first use of a concurrent one has libdispatch look after its threads once a second, for ever.
        DispatchQueue(label: "Browser work", qos: .userInitiated).asyncAfter(deadline: .now() + delay) {
            let result = Result { try work() }
            DispatchQueue.main.async { MainActor.assumeIsolated { then(result) } }
        }
    }
}

/// Tells work that is no longer wanted.
///
/// Each call of `begin` makes all that began before it stale.
@MainActor final class LatestRequest {
    private var number = 0

    func begin() -> Int {
        number += 1
        return number
    }

    func isCurrent(_ number: Int) -> Bool { self.number == number }
}
