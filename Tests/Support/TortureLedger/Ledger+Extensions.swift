import Foundation
import YapDatabase

/// An extension of each kind over the entries, whose content is a function of the number too.
extension Ledger {
    static let graph = "graph"
    private static let (even, manual, index, words, tree, found) = ("even", "manual", "index", "words", "tree", "found")
    private static let cloud = "cloud"
    fileprivate static let edge = "lane"

    /// Registers all extensions together.
    public static func prepareAll(_ database: YapDatabase, writers: [String], tag: String = "1") throws {
        try prepare(database, writers: writers, tag: tag)
        let stored = YapDatabaseSearchResultsViewOptions()
        stored.isPersistent = true
        try database.register([
            (
                even,
                YapDatabaseFilteredView(
                    parentViewName: view,
                    filtering: .withObjectBlock { _, _, _, _, object in ((object as? Entry)?.number ?? 1) % 2 == 0 },
                    versionTag: tag)
            ),
            (manual, YapDatabaseManualView(versionTag: "1")), (index, makeIndex(tag)), (words, makeSearch(tag)),
            (tree, makeTree(tag)), (graph, YapDatabaseRelationship(versionTag: tag)),
            (
                found,
                YapDatabaseSearchResultsView(
                    fullTextSearchName: words, parentViewName: view, versionTag: tag, options: stored)
            ), (cloud, makeCloud(tag)),
        ])
    }

    private static func makeIndex(_ tag: String) -> YapDatabaseSecondaryIndex {
        let setup = YapDatabaseSecondaryIndexSetup()
        setup.addColumn("number", with: .integer)
        setup.addColumn("writer", with: .text)
        return YapDatabaseSecondaryIndex(
            setup: setup,
            handler: .withObjectBlock { _, dict, collection, _, object in
                guard let entry = object as? Entry else { return }
                dict["number"] = entry.number
                dict["writer"] = collection
            }, versionTag: tag)
    }

    private static func makeSearch(_ tag: String) -> YapDatabaseFullTextSearch {
        YapDatabaseFullTextSearch(
            columnNames: ["text"],
            handler: .withObjectBlock { _, dict, collection, _, object in
                guard let entry = object as? Entry else { return }
                dict["text"] = "\(collection.replacing("-", with: "")) lane\(entry.lane) number\(entry.number)"
            }, versionTag: tag)
    }

    /// Its pipeline starts nothing: the transactions queue and complete.
    private static func makeCloud(_ tag: String) -> YapDatabaseCloudCore {
        let options = YapDatabaseCloudCoreOptions()
        options.enableTagSupport = true
        options.enableAttachDetachSupport = true
        let cloud = YapDatabaseCloudCore(versionTag: tag, options: options)
        cloud.registerPipeline(
            YapDatabaseCloudCorePipeline(name: YapDatabaseCloudCoreDefaultPipelineName, delegate: NoServer()))
        return cloud
    }

    private final class NoServer: YapDatabaseCloudCorePipelineDelegate {
        func startOperation(
            _ operation: YapDatabaseCloudCoreOperation, forPipeline pipeline: YapDatabaseCloudCorePipeline
        ) {}
    }

    private static func makeTree(_ tag: String) -> YapDatabaseRTreeIndex {
        let setup = YapDatabaseRTreeIndexSetup()
        setup.setColumns(["least", "greatest"])
        return YapDatabaseRTreeIndex(
            setup: setup,
            handler: .withObjectBlock { dict, _, _, object in
                guard let entry = object as? Entry else { return }
                dict["least"] = entry.number
                dict["greatest"] = entry.number + entry.lane
            }, versionTag: tag)
    }

    /// What no block decides.
    func writeByHand(_ number: Int, in transaction: YapDatabaseReadWriteTransaction) throws {
        if let view = transaction.ext(Self.manual) as? YapDatabaseManualViewTransaction {
            _ = try view.addKey(Self.key(number, 0), inCollection: entriesCollection, toGroup: writer)
        }
        if let found = transaction.ext(Self.found) as? YapDatabaseSearchResultsViewTransaction {
            // The search changes with the number, in whichever process.
            try found.performSearch(for: "lane\(number % 3)")
        }
        if let cloud = transaction.ext(Self.cloud) as? YapDatabaseCloudCoreTransaction {
            let operation = YapDatabaseCloudCoreOperation()
            operation.persistentUserInfo = ["writer": writer, "number": number]
            _ = try cloud.addOperation(operation)
            try cloud.skipOperations { _, operation, _, _ in
                operation.persistentUserInfo?["writer"] as? String == writer
                    && operation.persistentUserInfo?["number"] as? Int == number - Self.kept
            }
            try cloud.setTag(number, forKey: writer, withIdentifier: nil)
            try cloud.attachCloudURI(writer, forKey: Self.key(number, 0), inCollection: entriesCollection)
        }
    }

    private func checkCloud(_ kept: Range<Int>, _ transaction: YapDatabaseReadTransaction) throws {
        guard let cloud = transaction.ext(Self.cloud) as? YapDatabaseCloudCoreTransaction else { return }
        var (queued, attached): ([String], [String]) = ([], [])
        cloud.enumerateOperations { _, operation, _, _ in
            guard operation.persistentUserInfo?["writer"] as? String == writer else { return }
            queued.append("\(operation.persistentUserInfo?["number"] as? Int ?? -1)")
        }
        try expect(queued, kept.map { "\($0)" }, "the queue of the cloud")
        try cloud.enumerateAttached(forCloudURI: writer) { key, _, _, _ in attached.append(key) }
        try expect(attached.sorted(), kept.map { Self.key($0, 0) }.sorted(), "the cloud's mapping")
        let tag = try cloud.tag(forKey: writer, withIdentifier: nil) as? Int ?? 0
        try require(tag == kept.upperBound - 1 || kept.isEmpty, "\(writer): the tag is \(tag), not that of \(kept)")
    }

    func checkExtensions(_ kept: Range<Int>, _ transaction: YapDatabaseReadTransaction) throws {
        let all = kept.flatMap { number in (0..<3).map { Self.key(number, $0) } }
        if let view = transaction.ext(Self.even) as? YapDatabaseViewTransaction {
            for lane in 0..<3 {
                try expect(
                    keys(view, "\(entriesCollection)/\(lane)"), kept.filter { $0 % 2 == 0 }.map { Self.key($0, lane) },
                    "the filtered view")
            }
        }
        if let view = transaction.ext(Self.manual) as? YapDatabaseViewTransaction {
            try expect(keys(view, writer), kept.map { Self.key($0, 0) }, "the manual view")
        }
        if let index = transaction.ext(Self.index) as? YapDatabaseSecondaryIndexTransaction {
            var found: [String] = []
            let query = YapDatabaseQuery(
                string: "WHERE writer = ? ORDER BY number, rowid", parameters: [entriesCollection])
            try index.iterateKeys(matching: query) { _, key, _ in found.append(key) }
            try expect(found.sorted(), all.sorted(), "the secondary index")
        }
        if let search = transaction.ext(Self.words) as? YapDatabaseFullTextSearchTransaction {
            var found: [String] = []
            try search.iterateKeys(matching: entriesCollection.replacing("-", with: "")) { _, key, _ in
                found.append(key)
            }
            try expect(found.sorted(), all.sorted(), "the full-text search")
        }
        if let tree = transaction.ext(Self.tree) as? YapDatabaseRTreeIndexTransaction {
            var found: [String] = []
            let range = [kept.lowerBound, kept.upperBound + 1]
            let query = YapDatabaseQuery(string: "WHERE least >= ? AND greatest <= ?", parameters: range)
            try tree.iterateKeys(matching: query) { collection, key, _ in
                if collection == entriesCollection { found.append(key) }
            }
            try expect(found.sorted(), all.sorted(), "the R-tree")
        }
        try checkGraph(kept, transaction)
        try checkCloud(kept, transaction)
        try checkResults(transaction)
    }

    private func checkGraph(_ kept: Range<Int>, _ transaction: YapDatabaseReadTransaction) throws {
        guard let graph = transaction.ext(Self.graph) as? YapDatabaseRelationshipTransaction else { return }
        for number in kept {
            let key = Self.key(number, 0)
            let count = try graph.edgeCount(
                withName: Self.edge, destinationKey: key, collection: entriesCollection)
            try require(count == 2, "\(writer): \(count) edges lead to \(key)")
        }
    }

    /// The results are those of the search that was made last, in the order of the view.
    private func checkResults(_ transaction: YapDatabaseReadTransaction) throws {
        guard let found = transaction.ext(Self.found) as? YapDatabaseSearchResultsViewTransaction,
            let view = transaction.ext(Self.view) as? YapDatabaseViewTransaction
        else { return }
        for lane in 0..<3 {
            let group = "\(entriesCollection)/\(lane)"
            let expected = found.query() == "lane\(lane)" ? try keys(view, group) : []
            try expect(keys(found, group), expected, "the results of \"\(found.query())\"")
        }
    }

    private func keys(_ view: YapDatabaseViewTransaction, _ group: String) throws -> [String] {
        var keys: [String] = []
        try view.iterateKeys(inGroup: group) { _, key, _, _ in keys.append(key) }
        return keys
    }

    private func expect(_ found: [String], _ expected: [String], _ what: String) throws {
        try require(found == expected, "\(writer): \(what) has \(found), not \(expected)")
    }
}

extension Ledger.Entry: YapDatabaseRelationshipNode {
    /// The entries of one transaction go with the first of them.
    public func yapDatabaseRelationshipEdges() -> [YapDatabaseRelationshipEdge]? {
        guard lane > 0, let writer else { return nil }
        return [
            YapDatabaseRelationshipEdge(
                name: Ledger.edge, destinationKey: Ledger.key(number, 0),
                collection: Ledger(writer: writer).entriesCollection,
                nodeDeleteRules: .deleteSourceIfDestinationDeleted)
        ]
    }
}
