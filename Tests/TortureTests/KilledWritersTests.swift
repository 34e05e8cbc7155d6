import Foundation
import TestSupport
import Testing
import TortureLedger
import YapDatabase

/// `kill -9` at random moments of writers in three processes on one file.
@Suite struct KilledWritersTests {
    private static let kills = Torture.isLong ? 1_000 : Effort.cases(50)
    /// Microseconds between kills: time is the subject. A writer commits every two milliseconds.
    private static let longestPause: UInt32 = Torture.isLong || Effort.isFull ? 200_000 : 60_000

    @Test func noCommittedTransactionIsLostAndNoneIsHalfThere() throws {
        try Torture.inFolder("kill") { folder in
            var random = SplitMix64(seed: Torture.seed)
            let scene = try KillScene(folder: folder, random: &random)
            defer { scene.killAll() }
            var kills = 0
            while kills < Self.kills {
                usleep(UInt32.random(in: 0...Self.longestPause, using: &random))
                // Sometimes all at once: then no process is left that holds the log's index.
                let victims =
                    Int.random(in: 0..<8, using: &random) == 0 ? [0, 1, 2] : [Int.random(in: 0..<3, using: &random)]
                try scene.kill(victims)
                kills += victims.count
                try scene.check(dead: victims)
                for victim in victims { try scene.start(victim, random: &random) }
                if Int.random(in: 0..<4, using: &random) == 0 { try scene.waitForProgress() }
            }
            try scene.waitForProgress()
            print("torture kill: \(kills) kills, \(scene.committed) transactions committed")
        }
    }

    /// A process that fills, changes and drops an extension of each kind is killed before each of its steps in turn (in the short
    /// form a sample).
    @Test func noStepOfAnExtensionIsHalfDone() throws {
        let committed = 70
        try Torture.inFolder("step") { folder in
            let template = folder.appending(path: "template.sqlite")
            let maker = try Child(["make", template.path, "\(committed)"], name: "make", in: folder)
            try require(maker.end() == 0, "the file cannot be made: \(maker.lastWords)")
            _ = try KilledSteps(command: "step", template: template, folder: folder).run(longest: 200) {
                file, step, child in
                let reported = try String(contentsOf: child.output, encoding: .utf8).split(separator: "\n").last
                let least = reported.flatMap { Int($0) } ?? committed
                let found = try Self.number(in: file)
                try require((least...least + 1).contains(found), "step \(step): reported \(least), found \(found)")
            }
        }
    }

    private static func number(in file: URL) throws -> Int {
        let database = try YapDatabase(url: file)
        try Ledger.prepareAll(database, writers: writers)
        let number = try database.newConnection().read { try Ledger(writer: writers[0]).number(in: $0) }
        try database.close()
        return number
    }
}
