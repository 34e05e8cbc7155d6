import Foundation
import Synchronization

/// Collects the output of a descriptor on its own thread.
final class Reader: Sendable {
    private let descriptor: Int32
    private let received = Mutex<[UInt8]>([])
    private let isStopping = Mutex(false)
    private let isPaused = Mutex(false)
    private let isDone = DispatchSemaphore(value: 0)

    /// Reads until `stop`, which closes the descriptor.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        Thread.detachNewThread { self.run() }
    }

    var isStopped: Bool { isStopping.withLock { $0 } }

    var bytes: [UInt8] { received.withLock { $0 } }

    var isHeld: Bool { isPaused.withLock { $0 } }

    /// Reads nothing more until `resume`.
    func pause() { isPaused.withLock { $0 = true } }

    func resume() { isPaused.withLock { $0 = false } }

    /// Stops and returns when the descriptor is closed.
    func stop() {
        let isFirst = isStopping.withLock { isStopping in
            defer { isStopping = true }
            return !isStopping
        }
        if isFirst { isDone.wait() }
    }

    private func run() {
        var buffer = [UInt8](repeating: 0, count: 65536)
        var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while !isStopping.withLock({ $0 }) {
            if isPaused.withLock({ $0 }) {
                // A terminal that takes nothing, until it is told otherwise.
                usleep(1000)
                continue
            }
            guard poll(&source, 1, 20) > 0 else { continue }
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { received.withLock { $0 += buffer[..<count] } }
        }
        close(descriptor)
        isDone.signal()
    }
}
