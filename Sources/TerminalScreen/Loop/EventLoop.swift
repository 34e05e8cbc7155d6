import CNcurses
import Foundation
import TerminalCells

/// The one loop of the interface thread: it waits for keys, signals, wake-ups, work of the main queue and the time of the
/// next frame, all at once. While nothing happens it does not wake up.
@MainActor public final class EventLoop {
    /// What the loop calls, always on the main thread. A frame follows each of the first three.
    public struct Handlers {
        /// A key, a click, a new size.
        public var onEvent: (InputEvent) -> Void
        /// After `Waker.wake`.
        public var onWake: () -> Void
        /// The terminal's background is another than ``Screen/background`` said: colours are to be chosen anew.
        public var onBackground: (Theme.Background) -> Void
        /// When the next frame is due by itself, in seconds of the loop's clock; a time that has passed for at once, nil for
        /// none. Asked after every event.
        public var nextFrame: () -> Double?
        /// The frame for this time.
        public var draw: (_ now: Double) -> Grid

        public init(
            onEvent: @escaping (InputEvent) -> Void, onWake: @escaping () -> Void = {},
            onBackground: @escaping (Theme.Background) -> Void = { _ in }, nextFrame: @escaping () -> Double?,
            draw: @escaping (_ now: Double) -> Grid
        ) {
            self.onEvent = onEvent
            self.onWake = onWake
            self.onBackground = onBackground
            self.nextFrame = nextFrame
            self.draw = draw
        }
    }

    public let screen: Screen
    /// Wakes this loop from other threads.
    public let waker: Waker
    /// Seconds on a scale that only goes forward.
    public let now: () -> Double

    let signals: SignalDescriptor
    let mainQueue = MainQueue()
    var parser: InputParser
    var end: LoopEnd?
    var mustDraw = true
    /// What was typed while ``wait(for:draw:)`` waited.
    var early: [InputEvent] = []

    /// A loop for this screen. `Terminal.blockSignals` must have been called. Throws if the system has no descriptors left.
    public init(screen: Screen, now: @escaping () -> Double = EventLoop.monotonicSeconds) throws(TerminalError) {
        self.screen = screen
        self.now = now
        waker = try Waker()
        signals = try SignalDescriptor(Terminal.signals)
        parser = InputParser(keys: Terminfo.keys)
        screen.device.signals = signals
    }

    /// Runs until `stop` is called or a signal ends the process, and says which. The screen stays open.
    ///
    /// Ctrl-Z stops the process as the shell expects and is no event; Ctrl-C is one, `"c"` with `.control`.
    ///
    /// Work of the main queue, and so of the main actor, runs inside this loop: call it from a `main` that is not `async`.
    public func run(_ handlers: Handlers) -> LoopEnd {
        end = nil
        mustDraw = true
        mainQueue.drain()
        deliver(takeEarly(), to: handlers)
        while end == nil {
            draw(handlers)
            if end == nil { waitAndHandle(handlers) }
        }
        return end ?? .stopped
    }

    /// Does what waits in the main queue, without a frame: for what comes in after the end of ``run(_:)``.
    public func drainMainQueue() { mainQueue.drain() }

    private func takeEarly() -> [InputEvent] {
        defer { early = [] }
        return early
    }

    /// Has a frame drawn at once, for what has changed by itself.
    public func redraw() { mustDraw = true }

    /// Ends `run` once the current handler has returned.
    public func stop() {
        end = end ?? .stopped
    }

    public nonisolated static func monotonicSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private func draw(_ handlers: Handlers) {
        let time = now()
        guard mustDraw || screen.isBehind || handlers.nextFrame().map({ $0 <= time }) ?? false else { return }
        mustDraw = false
        screen.show(handlers.draw(time))
    }
}

/// Why an event loop has ended.
public enum LoopEnd: Hashable, Sendable {
    /// `stop` was called.
    case stopped
    /// The process was told to end by this signal; SIGHUP also stands for a terminal that went away.
    case signal(Int32)

    /// What the process should exit with: 0, or 128 and the signal's number, so 130 for an interrupt.
    public var exitCode: Int32 {
        switch self {
        case .stopped: 0
        case .signal(let number): 128 + number
        }
    }
}
