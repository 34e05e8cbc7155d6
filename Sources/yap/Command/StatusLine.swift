import Foundation

/// One line on standard error that says how far something is, where somebody waits in front of a terminal.
final class StatusLine {
    private let patience: Duration
    private let pause: Duration
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var next: ContinuousClock.Instant
    private var isThere = false

    /// - Parameters:
    ///   - patience: for which nothing is shown: what takes less is over before the line can be read.
    ///   - pause: for which the line stays as it is.
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
