import Foundation

/// How a test ended.
enum Outcome {
    case passed, failed, skipped, crashed

    var isBad: Bool { self == .failed || self == .crashed }
}

/// What a test cost, and how it ended.
struct Result {
    /// As the bundle selects it.
    let test: String
    var outcome = Outcome.passed
    /// Between its start and its end.
    var seconds = 0.0
    /// Of processors, with those of the programs that it started and waited for.
    var processorSeconds = 0.0
}

/// Makes results of the events of one process, which runs one test at a time.
struct Ledger {
    private let process: pid_t
    /// The names of all tests that are functions; the others are suites.
    private var functions: Set<String> = []
    private var results: [Result] = []
    /// The test that runs: when it began, and the processor time of the process then.
    private(set) var running: (result: Result, start: Double, processorStart: Double)?
    private(set) var hasEnded = false

    init(process: pid_t) { self.process = process }

    mutating func note(_ event: Event) {
        let payload = event.payload
        if event.kind == "test" {
            if payload.kind == "function", let id = payload.id { functions.insert(id) }
            return
        }
        if payload.kind == "runEnded" { hasEnded = true }
        guard let id = payload.testID, functions.contains(id) else { return noteIssueOfNoTest(payload) }
        let time = payload.instant?.absolute ?? 0
        switch payload.kind {
        case "testStarted":
            running = (Result(test: Self.name(id)), time, processorSeconds(of: process) ?? 0)
        case "issueRecorded" where payload.issue?.fails ?? true: running?.result.outcome = .failed
        case "testSkipped": results.append(Result(test: Self.name(id), outcome: .skipped))
        case "testEnded": end(at: time)
        default: break
        }
    }

    /// An issue that a thread of the test's own records names no test, or only the suite: it is of the test that runs, or that has ended.
    private mutating func noteIssueOfNoTest(_ payload: Event.Payload) {
        guard payload.kind == "issueRecorded", payload.issue?.fails ?? true else { return }
        if running != nil {
            running?.result.outcome = .failed
        } else if !results.isEmpty {
            results[results.count - 1].outcome = .failed
        }
    }

    private mutating func end(at time: Double) {
        guard let running else { return }
        var result = running.result
        result.seconds = time - running.start
        result.processorSeconds = (processorSeconds(of: process) ?? running.processorStart) - running.processorStart
        results.append(result)
        self.running = nil
    }

    /// The results, of which the last has crashed if the process ended while it ran.
    func finished() -> [Result] {
        guard var last = running?.result else { return results }
        last.outcome = .crashed
        return results + [last]
    }

    /// The name without the place in the source, `/File.swift:1:2`.
    private static func name(_ id: String) -> String {
        id.lastIndex(of: "/").map { String(id[..<$0]) } ?? id
    }
}
