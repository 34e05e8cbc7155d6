import ListChanges
import Testing

/// The index of each row before and after, against formulas that compare every pair of operations.
@Suite struct IndexReplayTests {
    @Test(arguments: [(rows: 0, edits: 60), (10, 200), (400, 400), (2_000, 1_500)], 1...3)
    func indexesAreThoseOfTheFormulas(size: (rows: Int, edits: Int), seed: Int) throws {
        let course = randomCourse(rows: size.rows, edits: size.edits, seed: UInt64(seed))
        var mappings = Mappings(groups: ["A"])
        mappings.update(counts: ["A": size.rows])
        let (_, outcome) = try mappings.advanced(by: course.map(\.operation))
        let changes = try #require(outcome.changeSet).rowChanges
        let expected = expectedPaths(course)
        #expect(changes.count == expected.count, "seed \(seed)")
        for change in changes {
            let paths = try #require(expected[change.key!], "\(change), seed \(seed)")
            #expect(change.before?.row == paths.before && change.after?.row == paths.after, "\(change), seed \(seed)")
        }
    }

    @Test func countsFollowFromTheLog() {
        let key = RowKey(collection: "", key: "x")
        let log: [RawOperation] = [
            .insertRow(group: "A", index: 0, key: key), .updateRow(group: "A", index: 0, key: key, flags: .object),
            .deleteRow(group: "B", index: 0, key: key), .resetSection(group: "C"),
            .insertRow(group: "C", index: 0, key: key),
        ]
        #expect(log.counts(from: ["A": 2, "B": 1, "C": 7]) == ["A": 3, "B": 0, "C": 1])
    }

    private func randomCourse(rows: Int, edits: Int, seed: UInt64) -> [Edit] {
        var random = SplitMix64(seed: seed)
        var list = ModelList([Array(0..<rows)])
        var nextKey = rows
        while list.log.count < edits {
            let count = list.groups[0].count
            switch random.below(4) {
            case 0 where count > 0: list.remove(at: random.below(count), in: 0)
            case 1 where count > 0: list.update(at: random.below(count), in: 0, .object)
            case 2 where count > 0:
                let key = list.remove(at: random.below(count), in: 0)
                list.insert(key, at: random.below(count), in: 0)
            default:
                list.insert(nextKey, at: random.below(count + 1), in: 0)
                nextKey += 1
            }
        }
        return list.takeLog().filter { $0.kind != .open }
    }

    /// Returns, for each row whose place may have changed, its index before, by its first operation, and after, by its
    /// last.
    private func expectedPaths(_ edits: [Edit]) -> [RowKey: (before: Int?, after: Int?)] {
        var first: [Int: Int] = [:]
        var last: [Int: Int] = [:]
        for (position, edit) in edits.enumerated() {
            first[edit.key] = first[edit.key] ?? position
            last[edit.key] = position
        }
        var paths: [RowKey: (before: Int?, after: Int?)] = [:]
        for (key, start) in first {
            let end = last[key]!
            let before = edits[start].kind == .insert ? nil : originalIndex(edits, start)
            let after = edits[end].kind == .delete ? nil : finalIndex(edits, end)
            if before != nil || after != nil { paths[ModelList.keys[key]] = (before, after) }
        }
        return paths
    }

    private func originalIndex(_ edits: [Edit], _ position: Int) -> Int {
        var index = edits[position].index
        for edit in edits[..<position].reversed() {
            if edit.kind == .delete, index >= edit.index { index += 1 }
            if edit.kind == .insert, index > edit.index { index -= 1 }
        }
        return index
    }

    private func finalIndex(_ edits: [Edit], _ position: Int) -> Int {
        var index = edits[position].index
        for edit in edits[(position + 1)...] {
            if edit.kind == .delete, index > edit.index { index -= 1 }
            if edit.kind == .insert, index >= edit.index { index += 1 }
        }
        return index
    }
}
