import AnimationLab
import Foundation

/// What `yap lab --shrink` says on standard error: what it did, and how far it is where somebody waits for it.
@MainActor final class ShrinkReport {
    /// What takes less is over before the line can be read.
    private static let patience = Duration.seconds(1)
    private static let pause = Duration.milliseconds(200)

    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var next = ContinuousClock.now + patience
    private var isShown = false

    func tell(_ event: ShrinkEvent) {
        switch event {
        case .attempt(let line, let attempts, let length):
            show("Line \(line): \(attempts) attempts, \(length) bytes …")
        case .unreadable(let line, let reason): say("Line \(line) cannot be shrunk: \(reason).")
        case .shrunk(let line, let flaw, let attempts, let from, let to):
            say("Line \(line): \(flaw). From \(from) to \(to) bytes in \(attempts) attempts.")
        case .finished(0, _): say("There is no scenario.")
        case .finished(1, 0):
            say("Nothing fails: the scenario keeps the law and gives the answer that is expected, if any is.")
        case .finished(let scenarios, 0):
            say(
                "Nothing fails: \(scenarios) scenarios keep the law and give the answers that are expected, if any are."
            )
        case .finished: clear()
        }
    }

    private func say(_ text: String) {
        clear()
        printError(text)
    }

    private func show(_ text: String) {
        guard isTerminal, ContinuousClock.now >= next else { return }
        next = .now + Self.pause
        isShown = true
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }

    private func clear() {
        if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
        isShown = false
        next = .now + Self.patience
    }
}
