import Foundation

/// Runs the scenarios of a file, one a line, and prints one result a line in the same order: `yap lab --replay`.
///
/// Each result is written as soon as it and those before it are available, so that a program can send and receive in
/// turn. Lines that arrive together are processed in parallel.
///
/// - Parameter path: the file, or `-` for standard input.
/// - Returns: whether every line was a scenario and could be run.
/// - Throws: if the file cannot be read or the output cannot be written.
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

/// Drains the main queue. The databases announce every commit there, and without a run loop these notifications would
/// accumulate.
@MainActor func forgetNotifications() {
    _ = RunLoop.main.run(mode: .default, before: .distantPast)
}
