import Foundation

/// What a test waited for did not come.
public struct WaitedTooLong: Error, CustomStringConvertible {
    public let description: String
}

/// Waits until something is so, asking again and again.
///
/// - Throws: ``WaitedTooLong`` after `seconds`, many times what it takes on a busy machine: a test fails then instead of
///   hanging.
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
    /// Waits for the end of all that is in the group, at most `seconds`.
    public func wait(for what: String, seconds: Double = 900) throws {
        guard wait(timeout: .now() + seconds) == .success else {
            throw WaitedTooLong(description: "\(what): not within \(seconds) s")
        }
    }
}
