import ListChanges
import SeededRandom
import Testing

@Suite struct ListSnapshotDifferenceTests {
    @Test func theWayBetweenAnyTwoListsLeadsThere() throws {
        for seed in 1...300 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            let (before, after) = (ListSnapshot.random(&random), ListSnapshot.random(&random))
            guard let changes = ChangeSet(from: before, to: after) else { continue }
            let reached = try changes.applying(to: before) { after[$0] }
            #expect(reached == after, "seed \(seed)")
        }
    }

    @Test func onlyWhatChangedItsPlaceMoves() {
        let before = ListSnapshot(sections: [.init(group: "A", rows: ["1", "2", "3", "4"].map(key))])
        let after = ListSnapshot(sections: [.init(group: "A", rows: ["2", "3", "1", "4"].map(key))])
        #expect(ChangeSet(from: before, to: after)?.description == "move [0,0] -> [0,2] c/1 ()")
        #expect(ChangeSet(from: before, to: before)?.isEmpty == true)
    }

    @Test func noChangeSetSwapsSections() {
        let (a, b) = (ListSnapshot.Section(group: "A", rows: []), ListSnapshot.Section(group: "B", rows: []))
        #expect(ChangeSet(from: ListSnapshot(sections: [a, b]), to: ListSnapshot(sections: [b, a])) == nil)
    }

    @Test func theLongestRisingRunIsFound() {
        #expect([3, 1, 2, 5, 4, 6].longestRising { $0 }.count == 4)
        #expect([Int]().longestRising { $0 } == [])
        #expect([2, 2, 2].longestRising { $0 } == [2])
    }
}

private func key(_ name: String) -> RowKey { RowKey(collection: "c", key: name) }

extension ListSnapshot {
    fileprivate static func random(_ random: inout SplitMix64) -> ListSnapshot {
        var keys = (0..<random.below(12)).map { key("k\($0)") }.shuffled(using: &random)
        let groups = ["A", "B", "C"].filter { _ in random.percent(70) }
        return ListSnapshot(
            sections: groups.map { group in
                let rows = Array(keys.prefix(random.below(6)))
                keys.removeFirst(rows.count)
                return Section(group: group, rows: rows)
            })
    }
}
