import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// Sixteen connections on as many threads against a model. Every state that is read, rows and view alike, is one
/// that was committed; it is at least as new as the last commit that had returned before the read began; no connection
/// ever goes back; a frozen state never changes, and a jump from it names every key that differs.
@Suite(.serialized) struct LinearizabilityTests {
    private static let isLong = ProcessInfo.processInfo.environment["YAP_TORTURE"] == "1"
    private static let seeds: ClosedRange<UInt64> = isLong ? 1...4 : 1...UInt64(Effort.isFull ? 2 : 1)
    private static let writers = 4
    private static let readers = 12
    private static let transactions = isLong ? 1_000 : 25
    /// Writers go on for so long, for a run under the thread sanitizer; 0 leaves it at the number of transactions.
    private static let seconds = ProcessInfo.processInfo.environment["YAP_SOAK_SECONDS"].flatMap(Int.init) ?? 0

    @Test(arguments: seeds) func everyReadFitsIntoOneOrderOfAllCommits(seed: UInt64) throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            let history = CommitHistory(first: database.snapshot)
            let end = ContinuousClock.now + .seconds(Self.seconds / Self.seeds.count)
            let failures = Locked<[String]>([])
            let group = DispatchGroup()
            for index in 0..<Self.writers + Self.readers {
                group.enter()
                Thread.detachNewThread {
                    defer { group.leave() }
                    do {
                        let random = SplitMix64(seed: seed * 1_000 + UInt64(index))
                        switch index {
                        case ..<Self.writers:
                            try HistoryWriter(database, history, random).run(Self.transactions, until: end)
                        case _ where index % 2 == 0: try HistoryReader(database, history, random).follow()
                        default: try HistoryReader(database, history, random).jump()
                        }
                    } catch {
                        failures.withLock { $0.append("thread \(index): \(error)") }
                    }
                    if index < Self.writers { history.endWriter(of: Self.writers) }
                }
            }
            try group.wait(for: "Writers and readers have ended")
            let found = failures.withLock { $0 }
            #expect(found.isEmpty, "seed \(seed): \(found)")
        }
    }
}
