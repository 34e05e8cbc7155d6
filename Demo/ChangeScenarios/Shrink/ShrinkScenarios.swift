import Foundation

/// An event during the shrinking of a file's scenarios.
public enum ShrinkEvent {
    /// The line, counted from 1, is not a scenario.
    case unreadable(line: Int, reason: String)
    /// A smaller version was tried.
    case attempt(line: Int, attempts: Int, length: Int)
    /// The line fails, and its smallest version was printed.
    case shrunk(line: Int, flaw: String, attempts: Int, from: Int, to: Int)
    /// The end, with the number of scenarios and of failing ones.
    case finished(scenarios: Int, failing: Int)
}

/// Shrinks every failing scenario of a file as far as possible and prints it as one line: `yap lab --shrink`.
///
/// - Parameters:
///   - path: the file, or `-` for standard input.
///   - tell: called with events, for messages.
/// - Returns: whether any scenario of the file fails.
/// - Throws: if the file cannot be read or the output cannot be written.
@MainActor public func shrinkScenarios(at path: String, _ tell: @MainActor @escaping (ShrinkEvent) -> Void) throws
    -> Bool
{
    try withLines(of: path) { lines in
        let writer = AnswerWriter(descriptor: STDOUT_FILENO)
        do {
            return try inScratchFolder(onSignal: writer.stop) { folder in
                var shrinking = Shrinking(judge: Judge(in: folder), writer: writer, tell: tell)
                var reader = lines
                while let lines = try reader.next() {
                    for line in lines { try shrinking.shrink(line) }
                }
                return shrinking.finish()
            }
        } catch let error as ReplayError where error.code == EPIPE {
            EndSignals.end(by: SIGPIPE)
        }
    }
}

/// The processing of a file's lines.
@MainActor private struct Shrinking {
    let judge: Judge
    let writer: AnswerWriter
    let tell: @MainActor (ShrinkEvent) -> Void
    private var lines = 0
    private var scenarios = 0
    private var failing = 0

    init(judge: Judge, writer: AnswerWriter, tell: @MainActor @escaping (ShrinkEvent) -> Void) {
        self.judge = judge
        self.writer = writer
        self.tell = tell
    }

    mutating func shrink(_ bytes: [UInt8]) throws {
        lines += 1
        let number = lines
        let line: ShrinkLine
        do {
            line = try ShrinkLine(bytes: bytes)
        } catch {
            return tell(.unreadable(line: number, reason: "\(error)"))
        }
        scenarios += 1
        let result = line.shrunk(by: judge) { [tell] attempts, length in
            MainActor.assumeIsolated {
                forgetNotifications()
                tell(.attempt(line: number, attempts: attempts, length: length))
            }
        }
        guard let result else { return }
        writer.put(ScenarioLine.Answer(json: result.line, isError: false), at: failing)
        try writer.check()
        failing += 1
        tell(
            .shrunk(
                line: number, flaw: "\(result.flaw)", attempts: result.attempts, from: bytes.count,
                to: result.line.bytes.count))
    }

    func finish() -> Bool {
        tell(.finished(scenarios: scenarios, failing: failing))
        return failing > 0
    }
}
