import Foundation
import YapDatabase

/// Writes the answers of lines that are processed in parallel, in the order of the lines, each as early as possible.
final class AnswerWriter: Sendable {
    private struct State {
        /// Answers that wait for an earlier one.
        var waiting: [Int: ScenarioLine.Answer] = [:]
        var next = 0
        var hadError = false
        var failure: ReplayError?
        var isStopped = false
    }

    private let descriptor: Int32
    private let state = Locked(State())

    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// Whether any of the answers was an error.
    var hadError: Bool { state.withLock(\.hadError) }

    /// Adds the answer to the line of this number, counted from 0.
    package func put(_ answer: ScenarioLine.Answer, at number: Int) {
        state.withLock { state in
            state.waiting[number] = answer
            while !state.isStopped, let next = state.waiting.removeValue(forKey: state.next) {
                state.next += 1
                if next.isError { state.hadError = true }
                state.failure = write(next.bytes)
                state.isStopped = state.failure != nil
            }
        }
    }

    /// Throws if an answer could not be written.
    func check() throws(ReplayError) {
        if let failure = state.withLock(\.failure) { throw failure }
    }

    /// Writes nothing from now on.
    package func stop() { state.withLock { $0.isStopped = true } }

    private func write(_ bytes: [UInt8]) -> ReplayError? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR {
                return ReplayError("The results cannot be written")
            }
        }
        return nil
    }
}
