import Foundation
import SeededRandom
import YapDatabase

/// The time from a commit of one process to the notification in another, with the row read there.
let foreignCommitCases: [Case] = [
    Case(
        name: "foreign_commit/median", n: 1, k: 1, unit: "ms", targets: [.value(atMost: 20, "ms")]
    ) { Measurement(value: try foreignDelays().median) },
    Case(
        name: "foreign_commit/slowest", n: 1, k: 1, unit: "ms", targets: [.value(atMost: 20, "ms")]
    ) { Measurement(value: try foreignDelays().max() ?? 0) },
]

private let commits = 200
private let stampKey = "stamp"

/// One run, shared by both cases.
@MainActor private var finishedRun: [Double]?

/// Returns the delays in milliseconds.
@MainActor private func foreignDelays() throws -> [Double] {
    if let finishedRun { return finishedRun }
    let delays = try withScratchFolder { folder in
        try withDatabase(folder.appending(path: "shared.sqlite")) { database in
            let writer = try startWriter(database.databaseURL)
            let delays = try followStamps(in: database, until: { !writer.isRunning })
            writer.waitUntilExit()
            guard writer.terminationStatus == 0 else { throw RawError("The other process failed.") }
            return delays
        }
    }
    guard delays.count > commits / 2 else { throw RawError("Only \(delays.count) of \(commits) commits were noticed.") }
    finishedRun = delays
    return delays
}

private func startWriter(_ url: URL) throws -> Process {
    let process = Process()
    process.executableURL = try ownProgram()
    process.arguments = ["--write-stamps", url.path]
    try process.run()
    return process
}

/// Reads the newest stamp with every notification.
@MainActor private func followStamps(in database: YapDatabase, until isOver: () -> Bool) throws -> [Double] {
    let connection = try database.newConnection()
    let delays = Locked<[Double]>([])
    let failure = Locked<(any Error)?>(nil)
    let lastStamp = Locked(0.0)
    let token = NotificationCenter.default.addObserver(forName: .YapDatabaseModified, object: database, queue: nil) {
        _ in
        do {
            let stamp = try connection.read { try $0.object(forKey: stampKey) as? Double }
            guard let stamp, stamp != lastStamp.value else { return }
            lastStamp.set(stamp)
            delays.set(delays.value + [(Time.passed - stamp) * 1e3])
        } catch {
            failure.set(error)
        }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    while !isOver() { _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05)) }
    if let error = failure.value { throw error }
    return delays.value
}

/// Runs the other process: commits the time at intervals.
func writeStamps(to url: URL) throws {
    var options = YapDatabaseOptions()
    options.pragmaSynchronous = .normal
    let database = try YapDatabase(url: url, options: options)
    let connection = try database.newConnection()
    var random = SplitMix64(seed: 20)
    for _ in 0..<commits {
        usleep(UInt32.random(in: 2_000..<40_000, using: &random))
        try connection.readWrite { try $0.setObject(Time.passed, forKey: stampKey) }
    }
    try database.close()
}
