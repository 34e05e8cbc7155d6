import Dispatch
import Foundation
import Testing

/// A time limit for a test that must not hang. The time begins with the test's body: Swift Testing's own limit begins
/// when the test waits for a thread, which takes minutes if hundreds of tests run on two of them.
///
/// A body that hangs holds its thread, so the run ends with a message.
public struct EndsWithin: SuiteTrait, TestTrait, TestScoping {
    let seconds: Int
    public var isRecursive: Bool { true }

    public func scopeProvider(for test: Test, testCase: Test.Case?) -> EndsWithin? { testCase == nil ? nil : self }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let watchdog = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "time limit"))
        watchdog.schedule(deadline: .now() + .seconds(seconds))
        watchdog.setEventHandler { [seconds] in fatalError("The test \(test.name) did not end within \(seconds) s.") }
        watchdog.activate()
        defer { watchdog.cancel() }
        try await function()
    }
}

extension Trait where Self == EndsWithin {
    /// Requires the test to end within `seconds`, also on a busy machine; otherwise the run is stopped.
    public static func ends(within seconds: Int) -> Self { EndsWithin(seconds: seconds) }
}
