import Foundation
import YapDatabase

/// The examples in the comments of the members of a transaction that reads.
private struct ReadExamples {
    let transaction: YapDatabaseReadTransaction

    func iterateKeys() throws {
        try transaction.iterateKeys(inCollection: "books", keyRange: "a"..<"b") { key, stop in print(key) }
    }

    func iterateKeysAndObjects() throws {
        try transaction.iterateKeysAndObjects(inCollection: "titles") { (key, title: String, stop) in
            print(key, title)
            stop = title == "Dune"
        }
    }

    func iterateKeysAndMetadata() throws {
        try transaction.iterateKeysAndMetadata(inCollection: "titles") { (key, date: Date?, stop) in
            print(key, date ?? .now)
        }
    }

    func iterateRows() throws {
        try transaction.iterateRows(inCollection: "titles") { (key, title: String, date: Date?, stop) in
            print(key, title)
        } filter: { key in
            key.hasPrefix("d")
        }
    }

    func iterateKeysInAllCollections() throws {
        try transaction.iterateKeysInAllCollections { collection, key, stop in print(collection, key) }
    }

    func iterateKeysAndObjectsInAllCollections() throws {
        try transaction.iterateKeysAndObjectsInAllCollections { (collection, key, title: String, stop) in
            print(key, title)
        } filter: { collection, key in
            collection == "titles"
        }
    }

    func numberOfCollections() throws {
        print(try transaction.numberOfCollections(), try transaction.allCollections())  // 2 ["books", "people"]
    }

    func numberOfKeys() throws {
        let count = try transaction.numberOfKeys(inCollection: "books")
        _ = count
    }

    func allKeys() throws {
        let keys = try transaction.allKeys(inCollection: "books")
        _ = keys
    }

    func iterateCollections() throws {
        try transaction.iterateCollections { collection, stop in
            print(collection, try transaction.numberOfKeys(inCollection: collection))
        }
    }

    func enumerateCollections() throws {
        try transaction.enumerateCollections(forKey: "dune") { collection, stop in print(collection) }
    }

    func enumerateObjects() throws {
        try transaction.enumerateObjects(forKeys: ["dune", "solaris"], inCollection: "books") { index, object, stop in
            print(index, object ?? "no such row")
        }
    }

    func object() throws {
        let title = try transaction.object(forKey: "dune", inCollection: "books") as? String
        _ = title
    }

    func metadata() throws {
        let date = try transaction.metadata(forKey: "dune", inCollection: "books") as? Date
        _ = date
    }

    func row() throws {
        if let row = try transaction.row(forKey: "dune", inCollection: "books") {
            print(row.object, row.metadata ?? "none")
        }
    }

    func hasObject() throws {
        guard try transaction.hasObject(forKey: "dune", inCollection: "books") else { return }
    }

    func serializedObject() throws {
        let bytes = try transaction.serializedObject(forKey: "dune", inCollection: "books")?.count
        _ = bytes
    }

    func ext() {
        let view = transaction.ext("order") as? YapDatabaseViewTransaction
        _ = view
    }
}
