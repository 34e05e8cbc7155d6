import Foundation
import TestSupport
import Testing
import TortureLedger
import YapDatabase

/// Eight writers in four processes commit without a pause; one process is stopped or killed now and then.
@Suite struct WritersInLineTests {
    /// Seconds, and the longest that a process is stopped, in microseconds: time is the subject.
    private static let duration = Torture.isLong ? 60.0 : 3
    private static let longestStop: UInt32 = 100_000
    private static let patience = 120.0

    @Test func noWriterStarvesWhileOthersWriteStopAndDie() throws {
        try Torture.inFolder("line") { folder in
            let file = folder.appending(path: "t.sqlite")
            var random = SplitMix64(seed: Torture.seed)
            var children = try (0..<4).map { try start($0, file, folder) }
            defer { for child in children where !child.hasEnded { _ = child.kill() } }
            for child in children { try waitForCommits(child, since: counts(of: child)) }
            let end = Date(timeIntervalSinceNow: Self.duration)
            var (stops, kills) = (0, 0)
            while Date() < end {
                usleep(UInt32.random(in: 0..<300_000, using: &random))
                let victim = Int.random(in: children.indices, using: &random)
                if Int.random(in: 0..<4, using: &random) == 0 {
                    try require(children[victim].kill() == -SIGKILL, "\(victim) ended: \(children[victim].lastWords)")
                    try? FileManager.default.removeItem(at: children[victim].output)
                    children[victim] = try start(victim, file, folder)
                    kills += 1
                } else {
                    children[victim].pause(microseconds: UInt32.random(in: 0..<Self.longestStop, using: &random))
                    stops += 1
                }
            }
            // Each of the eight goes on.
            for child in children { try waitForCommits(child, since: counts(of: child)) }
            let longest = children.map { waits(of: $0).max() ?? 0 }.max() ?? 0
            for child in children { try require(child.kill() == -SIGKILL, "a writer ended: \(child.lastWords)") }
            let problems = try YapDatabase.check(url: file)
            try require(problems.isEmpty, "\(problems)")
            print("torture line: \(stops) stops, \(kills) kills, the longest commit took \(longest / 1_000) ms")
        }
    }

    private func start(_ number: Int, _ file: URL, _ folder: URL) throws -> Child {
        try Child(["line", file.path], name: "writer \(number)", in: folder)
    }

    private func reports(of child: Child) -> [[Int]] {
        let text = (try? String(contentsOf: child.output, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }.filter {
            $0.count == 3
        }
    }

    private func waits(of child: Child) -> [Int] { reports(of: child).map { $0[2] } }

    /// The commits of each thread.
    private func counts(of child: Child) -> [Int] {
        reports(of: child).reduce(into: [0, 0]) { counts, report in counts[report[0]] = report[1] }
    }

    private func waitForCommits(_ child: Child, since before: [Int]) throws {
        let end = Date(timeIntervalSinceNow: Self.patience)
        while !zip(counts(of: child), before).allSatisfy(>) {
            try require(!child.hasEnded, "a writer ended: \(child.lastWords)")
            try require(Date() < end, "a writer starves: \(counts(of: child)) after \(before)")
            usleep(5_000)
        }
    }
}
