import Foundation
import ListChanges
import TestSupport
import Testing

@testable import FileEngine

/// The rowids of derived rows, in a table whose rowids a damaged file may have moved anywhere.
@Suite struct DerivedRowidTests {
    private static let collection = RowKey.derivedMark + "list"

    @Test(
        arguments: [
            [], [RowTable.lowestRowid - 1], [.min], [.min, RowTable.lowestRowid - 5], [.min, .min + 1], [.min + 3], [5],
            [.min, 5], [.min, RowTable.lowestRowid], [RowTable.lowestRowid], [.max],
        ] as [[Int64]]) func eachNewRowHasOneThatIsFree(taken: [Int64]) throws
    {
        try withTemporaryStore { store, _ in
            _ = try store.beginWrite()
            _ = try store.tableToWrite(isDerived: true)
            for rowid in taken {
                try store.execute(
                    "INSERT INTO yap_derived (rowid, collection, key) VALUES (\(rowid), '\(Self.collection)', 'taken \(rowid)')"
                )
            }
            var rowids = Set(taken)
            for number in 0..<8 {
                let key = RowKey(collection: Self.collection, key: "\(number)")
                let rowid = try #require(try store.insertRow(key, object: Data([1]), metadata: nil))
                #expect(RowTable.isDerived(rowid) && rowids.insert(rowid).inserted, "\(number): \(rowid)")
                #expect(try store.rowid(forKey: key) == rowid)
            }
            if taken.isEmpty { #expect(rowids.min() == RowTable.lowestRowid - 8) }
            try store.commit()
        }
    }

    @Test func theKeyBeforeAnotherOne() throws {
        try withTemporaryStore { store, _ in
            _ = try store.beginWrite()
            for collection in ["a", "b", Self.collection] {
                #expect(try store.lastKey(inCollection: collection, before: "z") == nil)
                for key in ["k", "m", "o"] {
                    let key = RowKey(collection: collection, key: key)
                    _ = try store.insertRow(key, object: Data(), metadata: nil)
                }
            }
            for collection in ["a", "b", Self.collection] {
                let found = try ["a", "k", "l", "m", "z"].map {
                    try store.lastKey(inCollection: collection, before: $0)
                }
                #expect(found == [nil, nil, "k", "k", "o"])
            }
            try store.commit()
        }
    }
}
