import Foundation

/// A line on standard error that shows progress on a terminal.
final class StatusLine {
    private let patience: Duration
    private let pause: Duration
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var next: ContinuousClock.Instant
    private var isThere = false

    /// - Parameters:
    ///   - patience: how long nothing is shown: shorter work ends before the line can be read.
    ///   - pause: the shortest time between two changes of the line.
    init(after patience: Duration = .zero, every pause: Duration = .zero) {
        self.patience = patience
        self.pause = pause
        next = .now + patience
    }

    func show(_ text: @autoclosure () -> String) {
        guard isTerminal, ContinuousClock.now >= next else { return }
        next = .now + pause
        isThere = true
        writeError("\r\u{1B}[K\(text())")
    }

    func clear() {
        if isThere { writeError("\r\u{1B}[K") }
        isThere = false
        next = .now + patience
    }
}
