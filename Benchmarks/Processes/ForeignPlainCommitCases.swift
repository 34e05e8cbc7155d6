import Foundation
import SeededRandom
import YapDatabase

/// A process that registers nothing commits rows, one at a time, beside one that follows the last 50 rows of a list of 100,000.
let foreignPlainCommitCases: [Case] = [
    // Against the same commits while no other process has the file open.
    Case(
        name: "foreign_plain_commit/commit", n: rowCount, k: 1, unit: "µs", targets: [.ratio(atMost: 1.5)]
    ) {
        let outcome = try plainCommits()
        return Measurement(value: outcome.besideOthers, reference: outcome.alone)
    },
    Case(
        name: "foreign_plain_commit/unrelated_delay", n: rowCount, k: 1, unit: "ms", targets: [.value(atMost: 2, "ms")]
    ) { Measurement(value: try plainCommits().unrelatedDelay) },
    Case(
        name: "foreign_plain_commit/update_delay", n: rowCount, k: 1, unit: "ms", targets: [.value(atMost: 5, "ms")]
    ) { Measurement(value: try plainCommits().updateDelay) },
    // The other process has registered the list, too.
    Case(name: "foreign_list_commit/commit", n: rowCount, k: 1, unit: "µs") {
        Measurement(value: try listedCommits().commit)
    },
    Case(name: "foreign_list_commit/update_delay", n: rowCount, k: 1, unit: "ms") {
        Measurement(value: try listedCommits().delay)
    },
]

private let rowCount = 100_000
private let commits = 1_000

/// A row that says when it was written.
private struct Stamp: Codable, Identifiable, Sendable {
    var id: String
    var time: Double
}

private let stamps = YapCollection("stamps", of: Stamp.self)
private let others = YapCollection("others", of: Stamp.self)
private let byTime = YapList("byTime", of: stamps, sortedBy: .ascending(\.time))

private struct Outcome {
    /// In microseconds, of one commit.
    var alone = 0.0
    var besideOthers = 0.0
    /// In milliseconds, from before the commit until the follower has it.
    var unrelatedDelay = 0.0
    var updateDelay = 0.0
}

/// What the other process is told to do: to register the list and write to it.
private let listed = "listed"

/// One run, shared by all cases.
@MainActor private var finishedRun: Outcome?
@MainActor private var finishedListedRun: (commit: Double, delay: Double)?

@MainActor private func plainCommits() throws -> Outcome {
    if let finishedRun { return finishedRun }
    let outcome = try withScratchFolder { folder in
        let url = folder.appending(path: "shared.sqlite")
        try fill(url)
        var outcome = Outcome()
        outcome.alone = try write(others.name, to: url).median
        try withDatabase(url) { database in
            try database.register(byTime)
            let follower = Follower(database)
            try follower.wait { $0.rows == 50 }
            outcome.besideOthers = try write(others.name, to: url).median
            outcome.unrelatedDelay = follower.takeDelays(of: others.name).median
            try write(stamps.name, to: url)
            // Some commits are one update.
            outcome.updateDelay = follower.takeDelays(of: stamps.name).median
            follower.end()
            guard follower.minRows == 50 else {
                throw RawError("The list had only \(follower.minRows) of 50 rows.")
            }
        }
        return outcome
    }
    finishedRun = outcome
    return outcome
}

/// The same beside a process that has the list.
@MainActor private func listedCommits() throws -> (commit: Double, delay: Double) {
    if let finishedListedRun { return finishedListedRun }
    let outcome = try withScratchFolder { folder in
        let url = folder.appending(path: "shared.sqlite")
        try fill(url)
        return try withDatabase(url) { database in
            try database.register(byTime)
            let follower = Follower(database)
            try follower.wait { $0.rows == 50 }
            let commit = try write(listed, to: url).median
            let delays = follower.takeDelays(of: stamps.name)
            follower.end()
            guard delays.count > commits / 10 else { throw RawError("Only \(delays.count) commits were noticed.") }
            return (commit: commit, delay: delays.median)
        }
    }
    finishedListedRun = outcome
    return outcome
}

@MainActor private func fill(_ url: URL) throws {
    try withDatabase(url) { database in
        try database.register(byTime)
        try database.newConnection().readWrite { transaction in
            for number in 0..<rowCount {
                try transaction[stamps].save(Stamp(id: "row \(number)", time: -Double(number * 7_919 % rowCount)))
            }
        }
    }
}

/// Runs the other process.
/// - Returns: how long each commit took, in microseconds.
@discardableResult
@MainActor private func write(_ collection: String, to url: URL) throws -> [Double] {
    try outputOfOwnProcess("--write-plain", url.path, collection).split(separator: "\n").compactMap { Double($0) }
}

/// Acts as the process that registers nothing: prints how long each commit took.
func writePlainly(to url: URL, _ collection: String) throws {
    var options = YapDatabaseOptions()
    options.pragmaSynchronous = .normal
    let database = try YapDatabase(url: url, options: options)
    let connection = try database.newConnection()
    let rows = collection == others.name ? others : stamps
    if collection == listed { try database.register(byTime) }
    var random = SplitMix64(seed: 21)
    for number in 0..<commits {
        usleep(UInt32.random(in: 1_000..<8_000, using: &random))
        let start = Time.passed
        try connection.readWrite { try $0[rows].save(Stamp(id: "\(collection) \(number)", time: start)) }
        print((Time.passed - start) * 1e6)
    }
    try database.close()
}

/// Follows the list and all commits.
private final class Follower: Sendable {
    private struct State {
        var rows = 0
        var minRows = Int.max
        var delays: [String: [Double]] = [:]
        var newest = 0.0
    }

    private let state = Locked(State())
    private let tasks: [Task<Void, any Error>]

    init(_ database: YapDatabase) {
        let (connection, reader) = (try? database.newConnection(), try? database.newConnection())
        let state = state
        tasks = [
            Task.detached {
                guard let connection else { return }
                for try await update in connection.updates(of: byTime, .last(50)) {
                    let now = Time.passed
                    state.withLock { state in
                        state.rows = update.rows.count
                        state.minRows = min(state.minRows, update.rows.count)
                        if let last = update.rows.last, last.time > state.newest {
                            state.newest = last.time
                            state.delays[stamps.name, default: []].append((now - last.time) * 1e3)
                        }
                    }
                }
            },
            Task.detached {
                guard let reader else { return }
                var number = 0
                for await _ in database.commits {
                    let stamp = try reader.syncRead { try $0[others]["\(others.name) \(number)"] }
                    guard let stamp else { continue }
                    let now = Time.passed
                    number += 1
                    state.withLock { $0.delays[others.name, default: []].append((now - stamp.time) * 1e3) }
                }
            },
        ]
    }

    var minRows: Int { state.withLock { $0.minRows } }

    private func isTrue(_ condition: (State) -> Bool) -> Bool { state.withLock { condition($0) } }

    func wait(for condition: (_ state: (rows: Int, newest: Double)) -> Bool) throws {
        for _ in 0..<60_000 {
            if isTrue({ condition((rows: $0.rows, newest: $0.newest)) }) { return }
            usleep(1_000)
        }
        throw RawError("The list was not there after a minute.")
    }

    func takeDelays(of collection: String) -> [Double] { state.withLock { $0.delays[collection] ?? [] } }

    func end() { for task in tasks { task.cancel() } }
}
