import CNcurses
import Foundation
import TerminalCells

/// The loop of the interface thread: waits for keys, signals, wake-ups, work of the main queue and the time of the next
/// frame, all at once. While nothing happens it does not wake up. Input that arrives faster than it is handled is handled in portions, between
/// which signals and a frame have their turn.
@MainActor public final class EventLoop {
    /// The functions that the loop calls, always on the main thread. A frame follows each of the first three.
    public struct Handlers {
        /// Called for a key, a click, or a new size.
        public var onEvent: (InputEvent) -> Void
        /// Called after `Waker.wake`.
        public var onWake: () -> Void
        /// Called when the terminal's background differs from ``Screen/background`` so far: choose colours again.
        public var onBackground: (Theme.Background) -> Void
        /// Returns when the next frame is due, in seconds of the loop's clock; a time in the past for at once, nil for
        /// none. Called after every event.
        public var nextFrame: () -> Double?
        /// Returns the frame for a time.
        public var draw: (_ now: Double) -> Grid

        /// Creates the functions of a loop; without `onWake` and `onBackground` these are ignored.
        ///
        /// All of them are called on the main thread.
        ///
        /// - Parameters:
        ///   - onEvent: called for a key, a click, or a new size.
        ///   - onWake: called after `Waker.wake`.
        ///   - onBackground: called when the terminal reports another background.
        ///   - nextFrame: returns when the next frame is due; nil for none.
        ///   - draw: returns the frame for a time.
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

    /// The screen that shows the frames.
    public let screen: Screen
    /// Wakes this loop from other threads.
    public let waker: Waker
    /// Seconds of a monotonic clock.
    public let now: () -> Double

    let signals: SignalDescriptor
    let mainQueue = MainQueue()
    /// How long leaving waits for what the terminal was asked.
    package var answerPatience = Duration.milliseconds(100)
    var parser: InputParser
    var bursts = PasteBursts()
    /// When nothing more was there to read.
    var lastLook = EventLoop.monotonicSeconds()
    var end: LoopEnd?
    var mustDraw = true
    /// Whether another program has the terminal.
    var isLent = false
    /// That program.
    var borrower: pid_t?
    /// What SIGQUIT does, while another program has the terminal.
    var quitAction = sigaction()
    /// Whether the terminal's size may have changed without a signal.
    var mustFit = false
    /// The image beside the cells.
    var image = LoopImage()
    /// What tests wait for.
    var sign = LoopSign()
    /// What was read and not delivered yet, in order: the rest of much input, what arrived during ``wait(for:draw:)``, or together with the end of
    /// `run`.
    var undelivered: ArraySlice<InputEvent> = []

    /// Creates a loop for a screen. `Terminal.blockSignals` must have been called. Throws if the system has no
    /// descriptors left.
    ///
    /// - Parameters:
    ///   - screen: the screen that shows the frames.
    ///   - now: seconds of a monotonic clock; called on the main thread.
    /// - Throws: ``TerminalError`` with code `refused` if the system has no descriptors left.
    public init(screen: Screen, now: @escaping () -> Double = EventLoop.monotonicSeconds) throws(TerminalError) {
        self.screen = screen
        self.now = now
        waker = try Waker()
        signals = try SignalDescriptor(Terminal.signals)
        parser = InputParser(keys: Terminfo.keys)
        screen.device.signals = signals
    }

    /// Runs until `stop` is called or a signal ends the process, and returns which. The screen stays open.
    ///
    /// Ctrl-Z stops the process as the shell expects and is not an event; Ctrl-C is the event `"c"` with `.control`.
    ///
    /// Work of the main queue, and so of the main actor, runs inside this loop: call it from a `main` that is not
    /// `async`.
    public func run(_ handlers: Handlers) -> LoopEnd {
        end = nil
        mustDraw = true
        mainQueue.drain()
        deliver(to: handlers)
        while end == nil {
            if mustFit {
                mustFit = false
                followSize(handlers)
            }
            draw(handlers)
            if end == nil { waitAndHandle(handlers) }
        }
        endBorrower()
        endImageMaker()
        if end != .signal(SIGHUP), !isLent { awaitAnswers() }
        return end ?? .stopped
    }

    /// Runs the pending work of the main queue without a frame: for what arrives after the end of `run`.
    public func drainMainQueue() { mainQueue.drain() }

    /// Requests a frame, for a change without an event.
    public func redraw() { mustDraw = true }

    /// Ends `run` once the current handler has returned.
    public func stop() {
        end = end ?? .stopped
    }

    /// Returns the time of the system's monotonic clock, in seconds. It does not count the time in which the machine
    /// sleeps.
    public nonisolated static func monotonicSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private func draw(_ handlers: Handlers) {
        let time = now()
        guard mustDraw || screen.isBehind || handlers.nextFrame().map({ $0 <= time }) ?? false else { return }
        mustDraw = false
        let grid = handlers.draw(time)
        if !isLent {
            removeImage(unlessBelow: grid)
            screen.show(grid)
        }
        sign?.didShowFrame()
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

extension EventLoop {
    func handleSignals(_ handlers: Handlers) {
        while let number = signals.next() {
            switch number {
            // Another program handles them; the size is read when it ends.
            case _ where isLent && number != SIGTERM && number != SIGHUP: break
            case SIGWINCH: followSize(handlers)
            case SIGTSTP: pause(handlers, group: false)
            case SIGCONT: comeBack(handlers)
            default: end = end ?? .signal(number)
            }
        }
    }

    /// Gives the terminal back to the shell and stops the process. Returns when the shell continues it.
    func pause(_ handlers: Handlers, group: Bool) {
        removeImage()
        awaitAnswers()
        screen.device.leave()
        yap_stop(group)
        comeBack(handlers)
    }

    /// Restores the screen; another program may have used the terminal meanwhile, at another size.
    private func comeBack(_ handlers: Handlers) {
        screen.enterAgain()
        followSize(handlers)
        mustDraw = true
    }

    func followSize(_ handlers: Handlers) {
        guard screen.fit() else { return }
        removeImage()
        mustDraw = true
        handlers.onEvent(.resize(width: screen.size.width, height: screen.size.height))
    }
}
