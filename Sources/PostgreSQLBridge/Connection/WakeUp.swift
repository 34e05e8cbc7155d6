import CPostgreSQL
import Foundation
import Synchronization

/// Wakes a thread that waits for a server: to stop it for good, or to have it look around.
package final class WakeUp: Sendable {
    let descriptor: Int32
    private let stopped = Atomic(false)

    package init() { descriptor = yap_eventfd() }

    deinit { close(descriptor) }

    /// Whether every wait, present and future, ends with an error.
    package var isStopped: Bool { stopped.load(ordering: .acquiring) }

    package func stop() {
        stopped.store(true, ordering: .releasing)
        nudge()
    }

    /// Ends the present wait for notifications, or the next one.
    package func nudge() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// Waits without a server until the time, a nudge or a stop.
    package func wait(until deadline: ContinuousClock.Instant) {
        var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&one, 1, deadline.milliseconds) > 0, !isStopped { clear() }
    }

    /// Forgets nudges. A stop stays.
    func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}

extension ContinuousClock.Instant {
    /// Milliseconds until then, for `poll`: rounded up, at most an hour.
    var milliseconds: Int32 {
        let (seconds, rest) = (self - .now).components
        guard seconds >= 0, rest >= 0 else { return 0 }
        return Int32(min(seconds, 3_600) * 1_000 + rest / 1_000_000_000_000_000 + 1)
    }
}
