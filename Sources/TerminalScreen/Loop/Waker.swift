import CNcurses
import Foundation

/// Wakes an event loop from any thread. It may outlive the loop; then it wakes nothing.
public final class Waker: Sendable {
    let descriptor: Int32

    init() throws(TerminalError) {
        descriptor = yap_wake_descriptor()
        guard descriptor >= 0 else {
            throw TerminalError(.refused, "No descriptor for wake-ups: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Makes the loop call `onWake` soon. Several calls before it gets there make one. One system call, never waits.
    public func wake() {
        yap_wake(descriptor)
    }

    func clear() {
        yap_clear_wake(descriptor)
    }
}
