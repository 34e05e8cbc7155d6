import Foundation

/// Runs the scenarios of a file, one a line, and prints one result a line in the same order: `yap lab --replay`.
///
/// Every result is written as soon as it and those before it are there, so that a program can ask and read in turn.
/// Lines that have arrived together are worked on by all processors.
///
/// - Parameter path: the file, or `-` for standard input.
/// - Returns: whether every line was a scenario and could be run.
/// - Throws: when the file cannot be read or the output cannot be written.
@MainActor public func replayScenarios(at path: String) throws -> Bool {
    try withLines(of: path, replay)
}

@MainActor private func replay(_ reader: LineReader) throws -> Bool {
    let writer = AnswerWriter(descriptor: STDOUT_FILENO)
    do {
        try inScratchFolder(onSignal: writer.stop) { try answerAll(reader, in: $0, to: writer) }
    } catch let error as ReplayError where error.code == EPIPE {
        EndSignals.end(by: SIGPIPE)
    }
    return !writer.hadError
}

@MainActor private func answerAll(_ lines: LineReader, in folder: ScratchFolder, to writer: AnswerWriter) throws {
    var reader = lines
    var count = 0
    while let lines = try reader.next() {
        answer(lines, from: count, in: folder, to: writer)
        count += lines.count
        try writer.check()
        forgetNotifications()
    }
}

private nonisolated func answer(
    _ lines: [[UInt8]], from first: Int, in folder: ScratchFolder, to writer: AnswerWriter
) {
    DispatchQueue.concurrentPerform(iterations: lines.count) { index in
        writer.put(ScenarioLine(bytes: lines[index]).answer(in: folder), at: first + index)
    }
}

/// The databases announce every commit on the main queue, where nobody listens: without this they would pile up there.
@MainActor func forgetNotifications() {
    _ = RunLoop.main.run(mode: .default, before: .distantPast)
}
