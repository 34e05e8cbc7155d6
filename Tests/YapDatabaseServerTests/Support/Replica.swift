import Foundation
import SeededRandom
import Testing

@testable import YapDatabaseServer

/// A host of the property test: a database with a view, a filtered view and lists that follow them.
final class Replica {
    let name: String
    private let scene: Scene
    private(set) var database: YapDatabase
    private var lists: [ListFollower] = []
    private(set) var changes = 0
    private(set) var reloads = 0

    private let change: (inout YapDatabaseServerOptions) -> Void

    init(_ name: String, _ scene: Scene, _ change: @escaping (inout YapDatabaseServerOptions) -> Void = { _ in }) throws
    {
        self.name = name
        self.scene = scene
        self.change = change
        database = try scene.host(name, user: "postgres", change)
        try begin()
    }

    private func begin() throws {
        let all = YapDatabaseAutoView(
            grouping: .withObjectBlock { _, _, _, object in (object as? String).map { String($0.prefix(1)) } },
            sorting: .withObjectBlock { _, _, collection1, key1, object1, collection2, key2, object2 in
                let one = (object1 as? String ?? "", key1, collection1)
                let two = (object2 as? String ?? "", key2, collection2)
                return one == two ? .orderedSame : one < two ? .orderedAscending : .orderedDescending
            },
            versionTag: "1")
        let some = YapDatabaseFilteredView(
            parentViewName: "all",
            filtering: .withMetadataBlock { _, _, _, _, metadata in (metadata as? String) != "hidden" }, versionTag: "1"
        )
        try database.register([("all", all), ("some", some)])
        lists = try ["all", "some"].map { try ListFollower(database, view: $0, groups: ["A", "B", "C"]) }
    }

    func advance(_ context: Comment) throws {
        for list in lists { try list.advance(context) }
    }

    /// Ends and opens the file again, as a new process would.
    func reopen() throws {
        count()
        lists = []
        try scene.close(database)
        database = try scene.host(name, user: "postgres", change)
        try begin()
    }

    func count() {
        changes += lists.reduce(0) { $0 + $1.changes }
        reloads += lists.reduce(0) { $0 + $1.reloads }
    }

    /// One to four random edits in one transaction.
    func write(_ random: inout SplitMix64) throws {
        let connection = try database.newConnection()
        var edits = random
        try connection.readWrite { transaction in
            // The closure may run again, and then does the same.
            edits = random
            for _ in 0...edits.below(4) { try Self.edit(transaction, &edits) }
        }
        random = edits
    }

    private static func edit(_ transaction: YapDatabaseReadWriteTransaction, _ random: inout SplitMix64) throws {
        let (key, collection) = ("k\(random.below(30))", random.pick(["c", "c", "d"]))
        let value = random.pick(["A", "B", "C", "-"]) + "\(random.below(50))"
        let metadata = random.pick([nil, "hidden", "shown"])
        switch random.below(100) {
        case ..<50: try transaction.setObject(value, forKey: key, inCollection: collection, withMetadata: metadata)
        case ..<60: try transaction.replaceMetadata(metadata, forKey: key, inCollection: collection)
        case ..<70: try transaction.replace(value, forKey: key, inCollection: collection)
        case ..<90: try transaction.removeObject(forKey: key, inCollection: collection)
        case ..<95: try transaction.touchRow(forKey: key, inCollection: collection)
        case ..<98: try transaction.removeAllObjects(inCollection: collection)
        default: try transaction.removeAllObjectsInAllCollections()
        }
    }
}
