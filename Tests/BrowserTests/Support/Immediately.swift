@testable import Browser

/// Runs background work at once, so that a test sees its result. Work in portions is run to its end.
struct Immediately: Background {
    func run<Value: Sendable>(
        after delay: Double, _ work: @escaping @Sendable () throws -> Value,
        then: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void
    ) {
        let result = Result { try work() }
        MainActor.assumeIsolated { then(result) }
    }
}

/// Keeps background work until a test runs it.
final class Later: Background, @unchecked Sendable {
    // @unchecked: used on the main actor only.
    private var waiting: [() -> Void] = []

    func run<Value: Sendable>(
        after delay: Double, _ work: @escaping @Sendable () throws -> Value,
        then: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void
    ) {
        waiting.append {
            let result = Result { try work() }
            MainActor.assumeIsolated { then(result) }
        }
    }

    var count: Int { waiting.count }

    func runOne() { waiting.removeFirst()() }
    func runLast() { waiting.removeLast()() }
    func runAll() { while !waiting.isEmpty { runOne() } }
}
