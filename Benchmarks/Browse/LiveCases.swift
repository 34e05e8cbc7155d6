import Foundation
import FileReading
import YapDatabase

/// Browsing a file to which another program commits a hundred times a second.
let liveCases: [Case] = [
    Case(
        name: "browse_search_live", n: liveRows, k: liveRows, unit: "s", targets: [.ratio(atMost: 1.5)], isAlone: true
    ) { try searchLive() },
    Case(
        name: "browse_follow_log", n: logRows, k: 2, unit: "MB", targets: [.value(atMost: 8, "MB")], isAlone: true
    ) { try followLog() },
]

private let liveRows = min(1_000_000, BrowsedRows.count)
private let logRows = min(100_000, BrowsedRows.count)

/// The duration of browsing, unless SECONDS is set in the environment.
private let logSeconds =
    ProcessInfo.processInfo.environment["SECONDS"].flatMap(Double.init).flatMap { $0 > 0 ? $0 : nil } ?? 15

/// Searches the values of a list for an absent text, against the same search without a writer.
@MainActor private func searchLive() throws -> Measurement {
    try withScratchFolder { folder in
        let path = folder.appending(path: "live.sqlite").path
        try BrowsedRows.make(URL(filePath: path), count: liveRows)
        let alone = try searchTime(path)
        let writer = LiveWriter(path, rows: liveRows)
        writer.start()
        defer { _ = try? writer.stop() }
        // Lets the writer create the log, so that readers find it.
        usleep(200_000)
        return Measurement(value: try searchTime(path), reference: alone)
    }
}

private func searchTime(_ path: String) throws -> Double {
    let browser = try LiveBrowser(path)
    defer { browser.close() }
    browser.beginSearch("no row has this")
    return try passed {
        while browser.search?.isDone == false { try browser.run() }
    }
}

/// Measures the longest log that a program leaves beside a browser that follows it.
@MainActor private func followLog() throws -> Measurement {
    try withScratchFolder { folder in
        let path = folder.appending(path: "live.sqlite").path
        try BrowsedRows.make(URL(filePath: path), count: logRows)
        let writer = LiveWriter(path, rows: logRows)
        writer.start()
        usleep(200_000)
        let browser = try LiveBrowser(path)
        defer { browser.close() }
        let end = Time.passed + logSeconds
        var longest = 0
        while Time.passed < end {
            try browser.run()
            var status = stat()
            if stat(path + "-wal", &status) == 0 { longest = max(longest, Int(status.st_size)) }
        }
        let commits = try writer.stop()
        guard Double(commits) > logSeconds * LiveWriter.rate / 4, browser.steps > 0 else {
            throw RawError("There were only \(commits) commits and \(browser.steps) newer states in \(logSeconds) s.")
        }
        return Measurement(value: Double(longest) / 1e6)
    }
}
