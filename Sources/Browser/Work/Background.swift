import Dispatch

/// Runs work that may take longer than a key should wait.
protocol Background: Sendable {
    /// Runs work after some seconds, then passes the result to the interface.
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

/// Runs work on separate threads; results come through the main queue, which the event loop drains.
struct QueueBackground: Background {
    func run<Value: Sendable>(
        after delay: Double, _ work: @escaping @Sendable () throws -> Value,
        then: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void
    ) {
        // A queue for each piece of work: the first use of a concurrent queue makes libdispatch check its threads once
        // a second from then on.
        DispatchQueue(label: "Browser work", qos: .userInitiated).asyncAfter(deadline: .now() + delay) {
            let result = Result { try work() }
            DispatchQueue.main.async { MainActor.assumeIsolated { then(result) } }
        }
    }
}

/// Detects work that is stale.
///
/// Each call of `begin` makes all earlier work stale.
struct LatestRequest: Hashable, Sendable {
    private var number = 0

    @discardableResult mutating func begin() -> Int {
        number += 1
        return number
    }

    func isCurrent(_ number: Int) -> Bool { self.number == number }
}
