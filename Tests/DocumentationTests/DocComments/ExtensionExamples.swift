import Foundation
import YapDatabase

/// The examples in the doc comments of the other extensions.
private struct ExtensionExamples {
    struct Person {
        var age: Int
    }
    struct Place {
        var x: Double
    }
    struct Field {
        var text: String
    }
    let database: YapDatabase
    let connection: YapDatabaseConnection

    func actions() throws {
        try database.register(YapDatabaseActionManager(), withName: "actions")
    }

    func cloud(_ book: Any, _ uploader: any YapDatabaseCloudCorePipelineDelegate) throws {
        final class Upload: YapDatabaseCloudCoreOperation {
            let path: String
            init(path: String) { self.path = path; super.init() }
            required init?(coder: NSCoder) {
                guard let path = coder.decodeObject(forKey: "path") as? String else { return nil }
                self.path = path
                super.init(coder: coder)
            }
            override func encode(with coder: NSCoder) { super.encode(with: coder); coder.encode(path, forKey: "path") }
        }
        let cloud = YapDatabaseCloudCore(versionTag: "1", options: nil)
        cloud.registerPipeline(
            YapDatabaseCloudCorePipeline(name: YapDatabaseCloudCoreDefaultPipelineName, delegate: uploader))
        try database.register(cloud, withName: "cloud")
        try connection.readWrite { transaction in
            try transaction.setObject(book, forKey: "dune", inCollection: "books")
            try (transaction.ext("cloud") as? YapDatabaseCloudCoreTransaction)?.addOperation(
                Upload(path: "/books/dune"))
        }
    }

    func fullText() throws {
        struct Message {
            var author: String
            var text: String
        }
        let handler = YapDatabaseColumnHandler.withObjectBlock { _, dict, _, _, object in
            guard let message = object as? Message else { return }
            dict["author"] = message.author
            dict["text"] = message.text
        }
        let search = YapDatabaseFullTextSearch(columnNames: ["author", "text"], handler: handler, versionTag: "1")
        try database.register(search, withName: "fts")

        try connection.read { transaction in
            let search = transaction.ext("fts") as! YapDatabaseFullTextSearchTransaction
            try search.iterateKeysAndObjects(matching: "board meeting") { collection, key, object, stop in
                print(key, object)
            }
        }
    }

    func hooks() throws {
        let hooks = YapDatabaseHooks()
        hooks.didRemoveRow = { transaction, collection, key in
            try transaction.removeObject(forKey: key, inCollection: "thumbnails")
        }
        try database.register(hooks, withName: "hooks")
    }

    func secondaryIndex() throws {
        let handler = YapDatabaseColumnHandler.withObjectBlock { transaction, dict, collection, key, object in
            guard let person = object as? Person else { return }  // no column: the row is not in the index
            dict["age"] = person.age
        }
        let setup = YapDatabaseSecondaryIndexSetup()
        setup.addColumn("age", with: .integer)
        let index = YapDatabaseSecondaryIndex(setup: setup, handler: handler, versionTag: "1")
        try database.register(index, withName: "people")

        try connection.read { transaction in
            let index = transaction.ext("people") as! YapDatabaseSecondaryIndexTransaction
            let query = YapDatabaseQuery(string: "WHERE age >= ?", parameters: [62])
            try index.iterateKeysAndObjects(matching: query) { collection, key, object, stop in print(key, object) }
        }
    }

    func indexConnection() {
        let index = connection.ext("people") as? YapDatabaseSecondaryIndexConnection
        index?.queryCacheLimit = 50
    }

    func query(_ index: YapDatabaseSecondaryIndexTransaction) throws {
        let query = YapDatabaseQuery(
            string: "WHERE department = ? AND salary >= ? ORDER BY salary", parameters: ["dev", 100])
        try index.iterateKeys(matching: query) { collection, key, stop in print(key) }

        let plan = try index.explain(matching: YapDatabaseQuery(string: "WHERE age > 30"))
        // ["SEARCH secondaryIndex_people USING COVERING INDEX age (age>?)"]
        _ = plan
    }

    func rTree() {
        let handler = YapDatabaseRTreeIndexHandler.withObjectBlock { dict, collection, key, object in
            guard let place = object as? Place else { return }  // no column: the row is not in the index
            dict["minX"] = place.x
            dict["maxX"] = place.x
        }
        let query = YapDatabaseQuery(string: "WHERE minX >= ? AND maxX <= ?", parameters: [1, 10])
        _ = (handler, query)
    }

    func searchResults() throws {
        let results = YapDatabaseSearchResultsView(
            fullTextSearchName: "fts", parentViewName: "order", versionTag: "1")
        try database.register(results, withName: "results")

        try connection.readWrite { transaction in
            let results = transaction.ext("results") as! YapDatabaseSearchResultsViewTransaction
            try results.performSearch(for: "dun*")
        }
    }

    func searchQueue(_ queue: YapDatabaseSearchQueue, _ field: Field) {
        queue.enqueueQuery(field.text + "*")
        connection.asyncReadWrite { transaction in
            let results = transaction.ext("results") as! YapDatabaseSearchResultsViewTransaction
            try results.performSearch(with: queue)
        }
    }

    func relationships(_ transaction: YapDatabaseReadTransaction) throws {
        struct Message: Codable, YapDatabaseRelationshipNode {
            var chat: String
            func yapDatabaseRelationshipEdges() -> [YapDatabaseRelationshipEdge]? {
                [
                    YapDatabaseRelationshipEdge(
                        name: "chat", destinationKey: chat, collection: "chats",
                        nodeDeleteRules: .deleteSourceIfDestinationDeleted)
                ]
            }
        }
        try database.register(YapDatabaseRelationship(), withName: "relationships")

        guard let graph = transaction.ext("relationships") as? YapDatabaseRelationshipTransaction else { return }
        try graph.enumerateEdges(withName: "author", destinationKey: "alice", collection: "people") { edge, stop in
            print(edge.sourceKey ?? "")
        }
    }
}
