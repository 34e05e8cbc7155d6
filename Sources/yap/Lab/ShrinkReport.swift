import ChangeScenarios
import Foundation

/// The messages of `yap lab --shrink` on standard error: its result, and its progress on a terminal.
@MainActor final class ShrinkReport {
    private let line = StatusLine(after: .seconds(1), every: .milliseconds(200))

    func tell(_ event: ShrinkEvent) {
        switch event {
        case .attempt(let number, let attempts, let length):
            line.show("Line \(number): \(attempts) attempts, \(length) bytes …")
        case .unreadable(let number, let reason): say("Line \(number) cannot be shrunk: \(reason).")
        case .shrunk(let number, let flaw, let attempts, let from, let to):
            say("Line \(number): \(flaw). From \(from) to \(to) bytes in \(attempts) attempts.")
        case .finished(0, _): say("There is no scenario.")
        case .finished(1, 0):
            say("Nothing fails: the scenario keeps the law and gives the answer that is expected, if any is.")
        case .finished(let scenarios, 0):
            say(
                "Nothing fails: \(scenarios) scenarios keep the law and give the answers that are expected, if any are."
            )
        case .finished: line.clear()
        }
    }

    private func say(_ text: String) {
        line.clear()
        printError(text)
    }
}
