import Dispatch
import Foundation
import TerminalCells

extension EventLoop {
    /// The result of work that the loop waited for.
    public enum WaitResult<Value> {
        /// The work's value.
        case done(Value)
        /// The user or a signal ended the wait; the work may still be running.
        case ended(LoopEnd)
    }

    /// Seconds before a wait is announced on the screen.
    private static let patience = 0.05

    /// Seconds between two frames of a wait, which may show how far the work is.
    private static let period = 0.1

    /// Runs work on another thread that may block, for example on a file that another program holds. After a moment
    /// frames announce the wait; Ctrl-C and signals end it. Keys typed meanwhile are handled by the next `run`.
    ///
    /// - Parameters:
    ///   - work: runs on a queue of its own, not on the main thread.
    ///   - draw: returns the frame that announces the wait; runs on the main thread.
    /// - Throws: what the work throws.
    public func wait<Value: Sendable>(
        for work: @escaping @Sendable () throws -> Value, draw: @escaping (_ now: Double) -> Grid
    ) throws -> WaitResult<Value> {
        let result = WorkResult<Value>()
        let isDone = DispatchSemaphore(value: 0)
        let waker = waker
        DispatchQueue(label: "Work that the screen waits for", qos: .userInitiated).async {
            result.set(Result { try work() })
            isDone.signal()
            waker.wake()
        }
        if isDone.wait(timeout: .now() + Self.patience) == .timedOut {
            var typed: [InputEvent] = []
            var next = now()
            let end = run(
                Handlers(
                    onEvent: { event in
                        if event == .key(.character("c"), .control) { return self.end(by: .signal(SIGINT)) }
                        typed.append(event)
                    }, onWake: { if result.value != nil { self.stop() } }, nextFrame: { next },
                    draw: { time in
                        next = time + Self.period
                        return draw(time)
                    }))
            // Before what arrived together with the end of the work.
            undelivered = typed[...] + undelivered
            if result.value == nil { return .ended(end) }
        }
        guard let value = result.value else { fatalError("The work has signalled that it is done.") }
        return .done(try value.get())
    }

    private func end(by reason: LoopEnd) { end = end ?? reason }
}

/// A result that is set on one thread and read on another.
private final class WorkResult<Value: Sendable>: Sendable {
    private let lock = NSLock()
    // nonisolated(unsafe): it is behind the lock.
    nonisolated(unsafe) private var result: Result<Value, any Error>?

    var value: Result<Value, any Error>? { lock.withLock { result } }

    func set(_ value: Result<Value, any Error>) { lock.withLock { result = value } }
}
