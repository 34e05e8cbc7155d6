import Dispatch
import Foundation

/// What tells a ``YapDatabaseActionManager``, or another extension that waits for dates, the time.
public protocol YapActionClock: Sendable {
    /// The present time of the clock.
    var now: Date { get }
    /// Calls the block once, at the date or later, on any thread.
    func wake(at date: Date, _ block: @escaping @Sendable () -> Void)
}

/// The next time at which a clock wakes something up.
struct NextWake {
    private var date: Date?

    /// Returns whether the clock must be set: false if it will wake up by then anyway.
    mutating func set(_ date: Date, now: Date) -> Bool {
        if let set = self.date, set > now, set <= date { return false }
        self.date = date
        return true
    }
}

/// The clock of the system.
public struct YapSystemClock: YapActionClock {
    /// Creates the clock of the system.
    public init() {}

    /// The present time.
    public var now: Date { Date() }

    public func wake(at date: Date, _ block: @escaping @Sendable () -> Void) {
        // A day at most, because a date may be too far for a timer. Waking early is harmless.
        let seconds = min(max(date.timeIntervalSinceNow, 0), 86_400)
        DispatchQueue.global().asyncAfter(wallDeadline: .now() + seconds, execute: block)
    }
}

/// What tells a ``YapDatabaseActionManager`` whether the network can be used. By default it always can.
public protocol YapReachability: Sendable {
    /// Whether the network can be used now.
    var isReachable: Bool { get }
    /// Begins to call the block after each change of ``isReachable``. Called once, when the manager is registered.
    func startNotifier(_ changed: @escaping @Sendable () -> Void)
}

extension YapReachability {
    /// True: the network can always be used.
    public var isReachable: Bool { true }
    public func startNotifier(_ changed: @escaping @Sendable () -> Void) {}
}

/// A network that is always reachable: the default.
public struct YapAlwaysReachable: YapReachability {
    /// Creates a network that is always reachable.
    public init() {}
}
