import LiveTable
import Testing

@testable import AnimationLab

@Suite struct ListSnapshotDifferenceTests {
    @Test func theWayBetweenAnyTwoListsLeadsThere() throws {
        for seed in 1...300 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            let (before, after) = (ListSnapshot.random(&random), ListSnapshot.random(&random))
            let outcome = YapDatabaseViewOutcome(from: before, to: after)
            if outcome == .reload { continue }
            let reached = try outcome.changeSet.applying(to: before) { after[$0] }
            #expect(reached == after, "seed \(seed)")
        }
    }

    @Test func onlyWhatChangedItsPlaceMoves() {
        let before = ListSnapshot(sections: [.init(group: "A", rows: ["1", "2", "3", "4"].map(RowKey.lab))])
        let after = ListSnapshot(sections: [.init(group: "A", rows: ["2", "3", "1", "4"].map(RowKey.lab))])
        #expect(YapDatabaseViewOutcome(from: before, to: after).text == ["move [0,0] -> [0,2] c/1 ()"])
        #expect(YapDatabaseViewOutcome(from: before, to: before) == .none)
    }

    @Test func sectionsThatChangePlacesAreAReload() {
        let (a, b) = (ListSnapshot.Section(group: "A", rows: []), ListSnapshot.Section(group: "B", rows: []))
        #expect(
            YapDatabaseViewOutcome(from: ListSnapshot(sections: [a, b]), to: ListSnapshot(sections: [b, a])) == .reload)
    }

    @Test func theLongestRisingRunIsFound() {
        #expect([3, 1, 2, 5, 4, 6].longestRising { $0 }.count == 4)
        #expect([Int]().longestRising { $0 } == [])
        #expect([2, 2, 2].longestRising { $0 } == [2])
    }
}

extension ListSnapshot {
    fileprivate static func random(_ random: inout SplitMix64) -> ListSnapshot {
        var keys = (0..<random.below(12)).map { RowKey.lab("k\($0)") }.shuffled(using: &random)
        let groups = ["A", "B", "C"].filter { _ in random.percent(70) }
        return ListSnapshot(
            sections: groups.map { group in
                let rows = Array(keys.prefix(random.below(6)))
                keys.removeFirst(rows.count)
                return Section(group: group, rows: rows)
            })
    }
}
