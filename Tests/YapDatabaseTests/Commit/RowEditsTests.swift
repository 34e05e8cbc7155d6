import ListChanges
import TestSupport
import Testing

@testable import YapDatabase

/// What a transaction did, listed, against the same noted row by row.
@Suite struct RowEditsTests {
    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64]))
    func whatIsListedIsWhatHappenedToEachRow(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var edits = RowEdits()
        var model = RowChanges()
        for step in 0..<2_000 {
            let collection = ["a", "b", "c"].randomElement(using: &random)!
            let key = RowKey(collection: collection, key: "\(Int.random(in: 0..<50, using: &random))")
            switch Int.random(in: 0..<200, using: &random) {
            case 0:
                edits.clearAll()
                model.clearAll()
            case 1..<4:
                edits.clear(collection)
                model.clear(collection)
            case 4..<100:
                edits.insert(key)
                model.insert([.object, .metadata, .inserted], for: key)
            default:
                let kind = [RowChanges.Kind.object, .metadata, .removed].randomElement(using: &random)!
                edits.change(kind, for: key)
                model.insert(kind, for: key)
            }
            guard step % 50 == 0 else { continue }
            let context: Comment = "seed \(seed), step \(step)"
            #expect(edits.changes.rows.filter { !$0.value.isEmpty } == model.rows.filter { !$0.value.isEmpty }, context)
            #expect(edits.changes.count == model.count && edits.count >= model.count, context)
            #expect(edits.isEmpty == model.isEmpty, context)
        }
    }

    @Test func aRowThatIsInsertedAndRemovedManyTimesIsOneChange() {
        var edits = RowEdits()
        for _ in 0..<10 {
            edits.insert(RowKey(collection: "c", key: "k"))
            edits.change(.removed, for: RowKey(collection: "c", key: "k"))
        }
        #expect(edits.changes.count == 1)
        #expect(edits.changes.kind(of: RowKey(collection: "c", key: "k")) == [.object, .metadata, .inserted, .removed])
    }
}
