import CNcurses
import Foundation

/// Wakes an event loop from any thread. It may outlive the loop and then has no effect.
public final class Waker: Sendable {
    let descriptor: Int32

    init() throws(TerminalError) {
        descriptor = yap_wake_descriptor()
        guard descriptor >= 0 else {
            throw TerminalError(.refused, "No descriptor for wake-ups: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Makes the loop call `onWake` soon. Several calls before that result in one. Costs one system call and never
    /// blocks.
    public func wake() {
        yap_wake(descriptor)
    }

    func clear() {
        yap_clear_wake(descriptor)
    }
}
