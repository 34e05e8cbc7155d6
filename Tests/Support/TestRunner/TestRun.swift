import Foundation
import Synchronization

/// A run of all selected tests: several workers take groups from one queue.
final class TestRun: Sendable {
    private struct State {
        var groups: [[Suite]]
        var results: [Result] = []
        var workers: [Worker] = []
        var isStopped = false
        /// The one that has stopped the run.
        var signal: Int32?
        var failure: (any Error)?
    }

    private let options: Options
    private let costs: Costs
    private let progress: Progress
    private let state: Mutex<State>
    /// What the processes of the run share. Servers of tests run as another user, who makes files in it.
    private let folder: URL

    init(_ options: Options) throws {
        self.options = options
        costs = Costs(beside: options.log)
        let suites = try suites(of: options.bundle, selection: options.selection)
        let groups = groups(of: suites, seconds: costs.secondsOfSuites, workers: options.workers)
        state = Mutex(State(groups: groups))
        // Without digits, for which tests look on screens that show paths too, and as short as these need them.
        let name = String((0..<5).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement()! })
        folder = FileManager.default.temporaryDirectory.appending(path: "yap-\(name)")
        progress = Progress(tests: suites.reduce(0) { $0 + $1.tests.count })
        guard FileManager.default.createFile(atPath: options.log, contents: nil) else {
            throw RunnerError("\(options.log) cannot be written.")
        }
    }

    /// Runs the tests and prints their report.
    /// - Returns: the exit code.
    func run() throws -> Int32 {
        let started = ContinuousClock.now
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        defer { try? FileManager.default.removeItem(at: folder) }
        if let limit = options.limit {
            DispatchQueue.global().asyncAfter(deadline: .now() + limit) { self.stop() }
        }
        onEndSignal { [self] signal in
            state.withLock { $0.signal = $0.signal ?? signal }
            stop()
        }
        let threads = DispatchGroup()
        for number in 0..<options.workers {
            threads.enter()
            Thread.detachNewThread { [self] in
                defer { threads.leave() }
                do {
                    while let group = nextGroup() { try run(group, number: number) }
                } catch {
                    state.withLock { $0.failure = error }
                }
            }
        }
        threads.wait()
        let (results, isStopped, failure) = state.withLock { ($0.results, $0.isStopped, $0.failure) }
        progress.end()
        if let failure { throw failure }
        if options.selection.isAll { try costs.write(results) }
        let report = Report(results: results, seconds: (ContinuousClock.now - started) / .seconds(1))
        say(report.text)
        if let signal = state.withLock({ $0.signal }) {
            say("The tests were stopped by signal \(signal).")
            return 128 + signal
        }
        if isStopped { say("The tests did not end within \(options.limit ?? 0) s and were stopped.") }
        return isStopped ? 124 : report.hasFailed || results.isEmpty ? 1 : 0
    }

    private func nextGroup() -> [Suite]? {
        state.withLock { $0.isStopped || $0.groups.isEmpty ? nil : $0.groups.removeFirst() }
    }

    /// Ends the tests, and with them every program that they have started.
    func stop() {
        let workers = state.withLock { state in
            state.isStopped = true
            return state.workers
        }
        for worker in workers { worker.stop() }
        killPrograms(ofRun: folder)
    }

    /// Runs a group; after a crash a new process runs the tests that are left.
    private func run(_ group: [Suite], number: Int) throws {
        var tests = group.flatMap(\.tests)
        let log = "\(options.log).\(number)"
        while !tests.isEmpty, !state.withLock({ $0.isStopped }) {
            unlink(log)
            let worker = Worker(bundle: options.bundle, log: log, folder: folder)
            state.withLock { $0.workers.append(worker) }
            let (results, failure) = try worker.run(tests)
            state.withLock { state in
                state.workers.removeAll { $0 === worker }
                state.results += results
                note(results, output: log, failure: failure)
                progress.show(state.results)
            }
            unlink(log)
            let ran = Set(results.map(\.test))
            if failure == nil || ran.isEmpty { break }
            tests.removeAll { ran.contains($0) }
        }
    }

    /// Adds a process's output to the log, and prints what its failures say.
    private func note(_ results: [Result], output: String, failure: String?) {
        let bytes = FileManager.default.contents(atPath: output) ?? Data()
        if let log = FileHandle(forWritingAtPath: options.log) {
            log.seekToEndOfFile()
            log.write(bytes)
        }
        guard failure != nil || results.contains(where: { $0.outcome.isBad }) else { return }
        // A test that passes prints two lines, and one for each of its cases.
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let telling = lines.filter { line in !Self.quiet.contains(where: line.hasPrefix) }
        for line in telling.prefix(Self.maxLines) { say(String(line)) }
        if telling.count > Self.maxLines { say("… \(telling.count - Self.maxLines) more lines in the log") }
        if let failure { say("✘ \(failure)") }
    }

    /// A crash tells of each thread.
    private static let maxLines = 100
    private static let quiet = ["◇", "✔", "➜", "↳"]
}

/// Prints a line at once, also into a pipe.
private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
