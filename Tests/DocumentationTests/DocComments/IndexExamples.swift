import Foundation
import YapDatabase

/// The examples in the comments of the members of indexes, searches and relationships.
private struct IndexExamples {
    let index: YapDatabaseSecondaryIndexTransaction
    let search: YapDatabaseFullTextSearchTransaction
    let graph: YapDatabaseRelationshipTransaction

    func enumerateKeys() throws {
        let options = YapDatabaseFullTextSearchSnippetOptions()
        options.numberOfTokens = 8
        try search.enumerateKeys(matching: "meeting", with: options) { snippet, collection, key, stop in
            print(key, snippet)
        }
        _ = options
    }

    func iterateKeys() throws {
        try search.iterateKeys(matching: "board meet*") { collection, key, stop in print(key) }
    }

    func enumerateBm25OrderedKeys() throws {
        // A match in the first column counts twice.
        try search.enumerateBm25OrderedKeys(matching: "meeting", withWeights: [2]) { collection, key, stop in print(key)
        }
    }

    func iterateKeys2() throws {
        try index.iterateKeys(matching: YapDatabaseQuery(string: "WHERE age >= ?", parameters: [62])) {
            collection, key, stop in
            print(key)
        }
    }

    func iterateKeysAndMetadata() throws {
        try index.iterateKeysAndMetadata(matching: .matchingAll()) { collection, key, metadata, stop in
            print(key, metadata ?? "none")
        }
    }

    func iterateKeysAndObjects() throws {
        let query = YapDatabaseQuery(string: "WHERE age >= ? ORDER BY age", parameters: [62])
        try index.iterateKeysAndObjects(matching: query) { collection, key, object, stop in print(key, object) }
        _ = query
    }

    func iterateRows() throws {
        try index.iterateRows(matching: .matchingAll()) { collection, key, object, metadata, stop in print(key, object)
        }
    }

    func numberOfRows() throws {
        let count = try index.numberOfRows(matching: YapDatabaseQuery(string: "WHERE age >= ?", parameters: [62]))
        _ = count
    }

    func enumerateEdges() throws {
        try graph.enumerateEdges(withName: "author") { edge, stop in
            print(edge.sourceKey ?? "", edge.destinationKey ?? "")
        }
    }

    func edgeCount() throws {
        let count = try graph.edgeCount(withName: "author", destinationKey: "anna", collection: "people")
        _ = count
    }

    func addColumn() {
        let setup = YapDatabaseSecondaryIndexSetup()
        setup.addColumn("age", with: .integer)
        _ = setup
    }

    func iterateIndexedValues() throws {
        try index.iterateIndexedValues(inColumn: "age", matching: .matchingAll()) { value, stop in print(value) }
    }
}
