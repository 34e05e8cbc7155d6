import Foundation
import Testing

@testable import YapDatabase

@Suite struct IterateTests {
    private func withRows(_ body: (YapDatabaseReadTransaction) throws -> Void) throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                for key in ["d", "a", "c", "b"] {
                    try transaction.setObject(
                        key.uppercased(), forKey: key, inCollection: "x", withMetadata: key == "b" ? nil : key)
                }
                try transaction.setObject(1, forKey: "n", inCollection: "y")
            }
            // A second connection, so that nothing comes from the caches of the first.
            for connection in [connection, try database.newConnection()] { try connection.read(body) }
        }
    }

    @Test func rowsOfACollectionComeInTheOrderOfTheirKeys() throws {
        try withRows { transaction throws in
            var seen: [String] = []
            try transaction.iterateRows(inCollection: "x") { (key, object: String, metadata: String?, _) in
                seen.append("\(key) \(object) \(metadata ?? "-")")
            }
            #expect(seen == ["a A a", "b B -", "c C c", "d D d"])
        }
    }

    /// Each form over one collection and over all, with and without a type, with a filter and a stop.
    @Test func allFormsVisitTheSameRows() throws {
        try withRows { transaction throws in
            var seen: [String: Set<String>] = [:]
            func note(_ form: String, _ row: String) { seen[form, default: []].insert(row) }
            try transaction.iterateKeys(inCollection: "x") { key, _ in note("keys", key) }
            try transaction.iterateKeysAndObjects(inCollection: "x") { (key, object: Any, _) in note("any", "\(object)")
            }
            try transaction.iterateKeysAndObjects(inCollection: "x") { (key, object: String, _) in note("typed", object)
            }
            try transaction.iterateKeysAndMetadata(inCollection: "x") { (key, metadata: Any?, _) in
                note("any metadata", "\(metadata ?? "-")")
            }
            try transaction.iterateKeysAndMetadata(inCollection: "x") { (key, metadata: String?, _) in
                note("metadata", metadata ?? "-")
            }
            try transaction.iterateRows(inCollection: "x") { (key, object: Any, metadata: Any?, _) in
                note("rows", "\(object)\(metadata ?? "-")")
            }
            try transaction.iterateRows(inCollection: "x") { (key, object: String, metadata: String?, _) in
                note("typed rows", "\(object)\(metadata ?? "-")")
            } filter: {
                $0 > "b"
            }
            #expect(
                seen == [
                    "keys": ["a", "b", "c", "d"], "any": ["A", "B", "C", "D"], "typed": ["A", "B", "C", "D"],
                    "any metadata": ["a", "-", "c", "d"], "metadata": ["a", "-", "c", "d"],
                    "rows": ["Aa", "B-", "Cc", "Dd"], "typed rows": ["Cc", "Dd"],
                ])
        }
    }

    @Test func allFormsOverAllCollectionsVisitTheSameRows() throws {
        try withRows { transaction throws in
            var seen: [String: Set<String>] = [:]
            func note(_ form: String, _ row: String) { seen[form, default: []].insert(row) }
            let isX = { (collection: String, _: String) in collection == "x" }
            try transaction.iterateKeysInAllCollections { collection, key, _ in note("keys", collection + key) }
            try transaction.iterateKeysAndObjectsInAllCollections { (_, key, object: Any, _) in note("any", "\(object)")
            }
            try transaction.iterateKeysAndMetadataInAllCollections { (_, key, metadata: Any?, _) in
                note("any metadata", "\(metadata ?? "-")")
            }
            try transaction.iterateKeysAndMetadataInAllCollections(
                { (_, key, metadata: String?, _) in note("metadata", metadata ?? "-") }, filter: isX)
            try transaction.iterateRowsInAllCollections { (_, key, object: Any, metadata: Any?, _) in
                note("rows", "\(object)\(metadata ?? "-")")
            }
            try transaction.iterateRowsInAllCollections(
                { (_, key, object: String, metadata: String?, _) in note("typed rows", "\(object)\(metadata ?? "-")") },
                filter: isX)
            var stopped = 0
            try transaction.iterateRowsInAllCollections { (_, key, object: Any, metadata: Any?, stop) in
                (stopped, stop) = (stopped + 1, true)
            }
            #expect(stopped == 1)
            #expect(
                seen == [
                    "keys": ["xa", "xb", "xc", "xd", "yn"], "any": ["A", "B", "C", "D", "1"],
                    "any metadata": ["a", "-", "c", "d"], "metadata": ["a", "-", "c", "d"],
                    "rows": ["Aa", "B-", "Cc", "Dd", "1-"], "typed rows": ["Aa", "B-", "Cc", "Dd"],
                ])
        }
    }

    @Test func stopEndsTheEnumeration() throws {
        try withRows { transaction throws in
            var seen: [String] = []
            try transaction.iterateKeysAndObjects(inCollection: "x") { (key, object: Any, stop) in
                seen.append(key)
                stop = key == "b"
            }
            #expect(seen == ["a", "b"])
        }
    }

    @Test func aRangeTakesKeysFromItsLowerBoundUpToItsUpperBound() throws {
        try withRows { transaction throws in
            var seen: [String] = []
            try transaction.iterateKeys(inCollection: "x", keyRange: "b"..<"d") { key, _ in seen.append(key) }
            try transaction.iterateKeysAndObjects(inCollection: "x", keyRange: "c"..<"z") { (key, object: String, _) in
                seen.append(object)
            }
            #expect(seen == ["b", "c", "C", "D"])
        }
    }

    @Test func whatAFilterRefusesIsNotDecoded() throws {
        try withRows { transaction throws in
            var seen: [String] = []
            // The row of "y" is no string, so decoding it as one would throw.
            try transaction.iterateKeysAndObjectsInAllCollections { (collection, key, object: String, _) in
                seen.append(object)
            } filter: { collection, _ in
                collection == "x"
            }
            #expect(seen.sorted() == ["A", "B", "C", "D"])
        }
    }

    @Test func aValueOfAnotherTypeIsThrown() throws {
        try withRows { transaction throws in
            expectError(.decodingFailed) {
                try transaction.iterateKeysAndObjects(inCollection: "y") { (_, _: String, _) in }
            }
        }
    }

    @Test func anErrorOfTheClosureEndsTheEnumeration() throws {
        struct Enough: Error {}
        try withRows { transaction throws in
            var count = 0
            #expect(throws: Enough.self) {
                try transaction.iterateKeysInAllCollections { _, _, _ in
                    count += 1
                    throw Enough()
                }
            }
            #expect(count == 1)
            #expect(try transaction.numberOfKeysInAllCollections() == 5)
        }
    }

    @Test func collectionsAreIteratedInTheOrderOfTheirNames() throws {
        try withRows { transaction throws in
            var seen: [String] = []
            try transaction.iterateCollections { collection, _ in seen.append(collection) }
            try transaction.iterateCollections { collection, stop in
                seen.append(collection)
                stop = true
            }
            #expect(seen == ["x", "y", "x"])
        }
    }

    @Test func enumerationsNest() throws {
        try withRows { transaction throws in
            var pairs = 0
            try transaction.iterateKeys(inCollection: "x") { _, _ in
                try transaction.iterateKeys(inCollection: "x") { _, _ in pairs += 1 }
            }
            #expect(pairs == 16)
        }
    }

    @Test func listedKeysComeInTheOrderOfTheList() throws {
        try withRows { transaction throws in
            var seen: [String] = []
            try transaction.enumerateRows(forKeys: ["c", "absent", "a"], inCollection: "x") {
                index, object, metadata, _ in
                seen.append("\(index) \(object ?? "-") \(metadata ?? "-")")
            }
            #expect(seen == ["0 C c", "1 - -", "2 A a"])
            seen = []
            try transaction.enumerateObjects(forKeys: ["c", "absent", "a"], inCollection: "x") { index, object, stop in
                seen.append("\(index) \(object ?? "-")")
                stop = index == 1
            }
            try transaction.enumerateMetadata(forKeys: ["b", "a"], inCollection: "x") { index, metadata, _ in
                seen.append("\(index) \(metadata ?? "-")")
            }
            #expect(seen == ["0 C", "1 -", "0 -", "1 a"])
        }
    }

    @Test func allowedCollectionsLimitWhatAnExtensionVisits() throws {
        try withRows { transaction throws in
            func keys(_ allowed: YapWhitelistBlacklist?) throws -> [String] {
                var keys: [String] = []
                try transaction.enumerateRows(allowedCollections: allowed, columns: .keys) { row, _ in
                    keys.append(row.key.key)
                }
                return keys.sorted()
            }
            #expect(try keys(nil) == ["a", "b", "c", "d", "n"])
            #expect(try keys(YapWhitelistBlacklist(whitelist: ["y", "absent"])) == ["n"])
            #expect(try keys(YapWhitelistBlacklist(blacklist: ["y"])) == ["a", "b", "c", "d"])
            #expect(try keys(YapWhitelistBlacklist(filterBlock: { $0 > "x" })) == ["n"])
        }
    }
}
