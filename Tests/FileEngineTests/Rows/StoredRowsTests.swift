import Foundation
import ListChanges
import SeededRandom
import TestSupport
import Testing

@testable import FileEngine

/// Rows as bytes, against a dictionary.
@Suite struct StoredRowsTests {
    private struct Content: Equatable {
        var object: Data
        var metadata: Data?
    }

    @Test(arguments: Effort.some([1, 2, 3, 4, 5, 6, 7, 8] as [UInt64]))
    func rowsAreThoseOfADictionaryAfterCommitsAndRollbacks(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try withTemporaryStore { store, _ in
            var model: [RowKey: Content] = [:]
            for step in 0..<60 {
                let before = model
                _ = try store.beginWrite()
                for _ in 0..<random.below(12) { try change(store, &model, &random) }
                if random.below(4) == 0 {
                    try store.rollback()
                    model = before
                } else {
                    try store.commit()
                }
                #expect(try store.read { try rows(store) } == model, "seed \(seed), step \(step)")
                #expect(try store.read { try store.countOfAllRows() } == model.count, "seed \(seed), step \(step)")
            }
        }
    }

    private func change(_ store: Store, _ model: inout [RowKey: Content], _ random: inout SplitMix64) throws {
        // Two keys that Swift's strings take for one, an empty one, and one with a NUL.
        let key = RowKey(
            collection: random.pick(["", "a", "b"]), key: random.pick(["", "k", "\u{E9}", "e\u{301}", "n\0ul", "z"]))
        let content = Content(object: bytes(&random), metadata: random.below(3) == 0 ? bytes(&random) : nil)
        switch random.below(4) {
        case 0:
            #expect(try (store.removeRow(key) != nil) == (model[key] != nil))
            model[key] = nil
        case 1:
            if let rowid = try store.rowid(forKey: key) {
                try store.updateObject(rowid, content.object)
                model[key]?.object = content.object
            }
        default:
            let isNew = try store.insertRow(key, object: content.object, metadata: content.metadata) != nil
            #expect(isNew == (model[key] == nil))
            if isNew { model[key] = content }
        }
    }

    private func bytes(_ random: inout SplitMix64) -> Data {
        Data((0..<random.below(20)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }

    private func rows(_ store: Store) throws -> [RowKey: Content] {
        let rowids = try store.all(#"SELECT "rowid" FROM "database2""#) { $0.int64(at: 0) }
        let pairs = try rowids.compactMap { rowid in
            try store.row(rowid) { key, row in
                (
                    key,
                    Content(
                        object: row.withObject { Data($0 ?? .init(start: nil, count: 0)) },
                        metadata: row.withMetadata { $0.map { Data($0) } })
                )
            }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    @Test func aRowThatIsNotThereCannotBeUpdated() throws {
        try withTemporaryStore { store, _ in
            _ = try store.beginWrite()
            #expect(throws: YapDatabaseError.self) { try store.updateObject(5, Data([1])) }
            try store.rollback()
        }
    }

    @Test func aReaderKeepsItsVersionWhileAnotherHandleCommits() throws {
        try withTemporaryStore { store, path in
            let (other, _) = try Store.open(path: path, options: TestOptions())
            let held = try other.beginRead()
            let key = RowKey(collection: "c", key: "k")
            let (before, after) = try store.write { _ = try store.insertRow(key, object: Data([7]), metadata: nil) }
            #expect(before == held && after.number == held.number + 1)
            #expect(try other.rowid(forKey: key) == nil)
            try other.rollback()
            #expect(try other.beginRead() == after)
            #expect(try other.rowid(forKey: key) != nil)
            try other.rollback()
        }
    }
}
