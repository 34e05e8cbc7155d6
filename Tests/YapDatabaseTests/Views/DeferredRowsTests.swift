import ListChanges
import SeededRandom
import Testing

@testable import YapDatabase

/// Rows that wait for their places, against an array of them.
@Suite struct DeferredRowsTests {
    /// - Parameters:
    ///   - isAscending: whether new rowids are larger than all before, as those of new rows.
    ///   - keepsNumbers: whether numbers stand for the contents.
    @Test(arguments: [true, false], [true, false])
    func agreesWithAnArray(isAscending: Bool, keepsNumbers: Bool) throws {
        for seed in 1...5 as ClosedRange<UInt64> { try compareWithArray(isAscending, keepsNumbers, seed) }
    }

    private func compareWithArray(_ isAscending: Bool, _ keepsNumbers: Bool, _ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var deferred = DeferredRows()
        let keys = RowKeyList()
        var model: [(rowid: Int64, group: String, number: UInt64)] = []
        for step in 0..<3_000 {
            if random.below(3) > 0 || model.isEmpty {
                let rowid = isAscending ? Int64(step) : Int64(random.below(2_000))
                if model.contains(where: { $0.rowid == rowid }) { continue }
                let (group, number) = ("group \(random.below(5))", UInt64(random.below(100)))
                deferred.add(content(rowid, number), to: group, number: keepsNumbers ? number : nil, keys: keys)
                model.append((rowid, group, number))
            } else {
                // Now and then one that is not there, and one that comes back at once, as an updated row does.
                let rowid = random.below(4) == 0 ? Int64(random.below(4_000)) : model[random.below(model.count)].rowid
                let index = model.firstIndex { $0.rowid == rowid }
                let taken = deferred.remove(rowid)
                #expect((taken == nil) == (index == nil), "seed \(seed), step \(step)")
                guard let index, let taken else { continue }
                let known = model.remove(at: index)
                try expectEqual(taken.row, known, "seed \(seed), step \(step)")
                #expect(taken.group == known.group, "seed \(seed), step \(step)")
                if !isAscending, random.below(2) == 0 {
                    deferred.add(taken.row, to: known.group, number: keepsNumbers ? known.number : nil, keys: keys)
                    model.append(known)
                }
            }
            #expect(deferred.count == model.count && deferred.isEmpty == model.isEmpty, "seed \(seed), step \(step)")
        }
        var names: [String] = []
        try deferred.forEachGroup { name, rows throws in
            names.append(name)
            let wanted = model.filter { $0.group == name }
            #expect(rows.map(\.rowid) == wanted.map(\.rowid), "seed \(seed)")
            for (row, known) in zip(rows, wanted) {
                try expectEqual(row, known, "seed \(seed)")
                #expect(row.keyNumber.map { keys[$0] } == row.key, "seed \(seed)")
            }
        }
        #expect(names == Set(model.map(\.group)).sorted(), "seed \(seed)")
    }

    private func content(_ rowid: Int64, _ number: UInt64) -> RowContent {
        RowContent(
            rowid: rowid, key: RowKey(collection: "c", key: "\(rowid)"), object: number, metadata: nil, size: 8)
    }

    private func expectEqual(
        _ row: RowContent, _ known: (rowid: Int64, group: String, number: UInt64), _ scenario: String
    ) throws {
        // What is known of a row that was taken out is its content, or the number that stands for it.
        let number = row.prefix { $0.object as? UInt64 ?? .max }
        #expect(
            row.rowid == known.rowid && row.key.key == "\(known.rowid)" && number == known.number, "\(scenario)")
    }
}
