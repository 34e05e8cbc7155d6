import Foundation
import Testing
import TortureLedger
import YapDatabase

/// `kill -9` at random moments of writers in three processes on one file.
@Suite struct KilledWritersTests {
    private static let kills = Torture.isLong ? 1_000 : 30

    @Test func noCommittedTransactionIsLostAndNoneIsHalfThere() throws {
        try Torture.inFolder("kill") { folder in
            var random = SplitMix64(seed: Torture.seed)
            let scene = try KillScene(folder: folder, random: &random)
            defer { scene.killAll() }
            var kills = 0
            while kills < Self.kills {
                usleep(UInt32.random(in: 0...200_000, using: &random))
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
}
