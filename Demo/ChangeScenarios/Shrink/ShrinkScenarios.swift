import Foundation

/// What happens while the scenarios of a file are made smaller.
public enum ShrinkEvent {
    /// The line, counted from 1, is no scenario.
    case unreadable(line: Int, reason: String)
    /// A smaller version was tried.
    case attempt(line: Int, attempts: Int, length: Int)
    /// The line fails, and its smallest version was printed.
    case shrunk(line: Int, flaw: String, attempts: Int, from: Int, to: Int)
    /// The end, with the number of scenarios, and of those that fail.
    case finished(scenarios: Int, failing: Int)
}

/// Makes every scenario of a file that fails as small as it can be, and prints it as one line: `yap lab --shrink`.
///
/// - Parameters:
///   - path: the file, or `-` for standard input.
///   - tell: told what happens, for messages.
/// - Returns: whether anything in the file fails.
/// - Throws: when the file cannot be read or the output cannot be written.
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

/// The work on the lines of a file.
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
