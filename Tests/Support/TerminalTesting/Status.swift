import Foundation
import Synchronization

/// Waits for a child process on its own thread.
final class Status: Sendable {
    private let process: pid_t
    private let value = Mutex<ProgramEnd?>(nil)
    private let isKnown = DispatchSemaphore(value: 0)

    init(of process: pid_t) {
        self.process = process
        Thread.detachNewThread { self.run() }
    }

    var end: ProgramEnd? { value.withLock { $0 } }

    /// Returns when the process has ended. Call it once.
    func wait() -> ProgramEnd? {
        isKnown.wait()
        return end
    }

    private func run() {
        var code: Int32 = 0
        while waitpid(process, &code, 0) < 0, errno == EINTR {}
        let signal = code & 0x7F
        value.withLock { $0 = signal == 0 ? .exited(code >> 8 & 0xFF) : .killed(signal) }
        isKnown.signal()
    }
}
