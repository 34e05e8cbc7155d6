import Foundation

/// The condition that a test waited for did not become true.
public struct WaitedTooLong: Error, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
}

/// The end of waiting for what never comes. It counts looks, not seconds: on a busy machine the looks come later too.
public struct Patience {
    private var looks = 0

    public init() {}

    /// Notes a look.
    /// - Returns: whether there is another. Three minutes of a quiet machine have passed otherwise.
    public mutating func next() -> Bool {
        looks += 1
        return looks < Self.most
    }

    /// Between two looks.
    public static let milliseconds = 2
    private static let most = 90_000
}

/// Waits until a condition is true, checking it repeatedly.
///
/// - Parameter what: what is waited for, and what is there instead: it is asked when the waiting ends.
/// - Throws: ``WaitedTooLong``, with `what` and `state`, when ``Patience`` ends: the test then fails instead of hanging.
public func waitUntil(
    _ what: @autoclosure () -> String, state: () -> String = { "" }, _ isTrue: () throws -> Bool
) throws {
    var patience = Patience()
    while try !isTrue() {
        guard patience.next() else { throw WaitedTooLong(description: "\(what()): it did not happen. \(state())") }
        usleep(UInt32(Patience.milliseconds * 1_000))
    }
}

extension DispatchSemaphore {
    /// Waits for a signal, as ``waitUntil(_:state:_:)`` does.
    public func wait(for what: String) throws {
        var patience = Patience()
        while wait(timeout: .now() + .milliseconds(Patience.milliseconds)) == .timedOut {
            guard patience.next() else { throw WaitedTooLong(description: "\(what): it did not happen.") }
        }
    }
}

extension DispatchGroup {
    /// Waits for the end of all work in the group, as ``waitUntil(_:state:_:)`` does.
    public func wait(for what: String) throws {
        var patience = Patience()
        while wait(timeout: .now() + .milliseconds(Patience.milliseconds)) == .timedOut {
            guard patience.next() else { throw WaitedTooLong(description: "\(what): it did not happen.") }
        }
    }
}
