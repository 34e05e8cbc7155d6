import Foundation

/// The condition that a test waited for did not become true.
public struct WaitedTooLong: Error, CustomStringConvertible {
    public let description: String
}

/// Waits until a condition is true, checking it repeatedly.
///
/// - Throws: ``WaitedTooLong`` after `seconds`, many times what is needed on a busy machine: the test then fails
///   instead of hanging.
public func waitUntil(_ what: String, seconds: Double = 900, _ isTrue: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while try !isTrue() {
        guard ContinuousClock.now < end else { throw WaitedTooLong(description: "\(what): not within \(seconds) s") }
        usleep(1_000)
    }
}

extension DispatchSemaphore {
    /// Waits for a signal, at most `seconds`.
    public func wait(for what: String, seconds: Double = 900) throws {
        guard wait(timeout: .now() + seconds) == .success else {
            throw WaitedTooLong(description: "\(what): not within \(seconds) s")
        }
    }
}

extension DispatchGroup {
    /// Waits for the end of all work in the group, at most `seconds`.
    public func wait(for what: String, seconds: Double = 900) throws {
        guard wait(timeout: .now() + seconds) == .success else {
            throw WaitedTooLong(description: "\(what): not within \(seconds) s")
        }
    }
}
