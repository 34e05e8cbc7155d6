import DatabaseTesting
import FileReading
import Foundation
import ListChanges
import SeededRandom
import TestSupport
import Testing
import YapDatabase

/// Names that look alike, that Swift takes for equal, and whose bytes differ, as collections, keys and groups: each is what its bytes
/// are, in lists, indexes, change-sets, after a refill, and in an export. A naive model says what is to be there.
@Suite struct NormalFormsAttackTests {
    @Test func eachNameIsWhatItsBytesAre() async throws {
        try await Attack.rounds("normal forms") { seed in
            try withTemporaryFolder { folder in
                do {
                    var scene = try NormalFormsScene(folder, seed: seed)
                    try scene.run()
                } catch {
                    Issue.record("seed \(seed): \(error)")
                }
            }
        }
    }
}

private struct NormalFormsScene {
    /// Forms of one text are in no order of bytes that Swift's order has, and stand among others.
    private static let names = [
        "caf\u{e9}", "cafe\u{301}", "cafez", "cafe", "\u{212b}", "\u{c5}", "A\u{30a}", "Az", "a\u{323}\u{307}",
        "a\u{307}\u{323}", "\u{1ea1}\u{307}", "\u{ac00}", "\u{1100}\u{1161}", "\u{1112}", "z", "", "\u{301}",
    ]

    private let url: URL
    private let seed: UInt64
    private var random: SplitMix64
    private var database: YapDatabase
    private var followers: [ListFollower] = []
    private var tag = 0
    /// The name of a list, and the same name in another form.
    private let (list, twin): (String, String)
    /// The object of a row is the name of its group.
    private var rows: [RowKey: String] = [:]

    init(_ folder: URL, seed: UInt64) throws {
        url = folder.appending(path: "t.sqlite")
        self.seed = seed
        random = SplitMix64(seed: seed)
        (list, twin) = random.below(2) == 0 ? ("caf\u{e9}", "cafe\u{301}") : ("cafe\u{301}", "caf\u{e9}")
        database = try YapDatabase(url: url, options: .forAttacks)
        try register()
    }

    mutating func run() throws {
        for _ in 0..<12 {
            try write()
            for follower in followers { try follower.advance("seed \(seed)") }
            try compare()
            if random.below(4) == 0 { try reopen() }
        }
        try database.close()
        #expect(try YapDatabase.check(url: url) == [], "seed \(seed)")
        try export()
    }

    private mutating func register() throws {
        let groups = YapDatabaseAutoView(
            grouping: .withObjectBlock { _, _, _, object in object as? String },
            sorting: .withKeyBlock { _, _, one, key1, other, key2 in
                order((key1, one), (key2, other))
            }, versionTag: "\(tag)")
        let options = YapDatabaseViewOptions()
        options.isPersistent = random.below(2) == 0
        let collections = YapDatabaseAutoView(
            grouping: .withKeyBlock { _, collection, _ in collection },
            sorting: .withKeyBlock { _, _, one, key1, other, key2 in order((key1, one), (key2, other)) },
            versionTag: "\(tag)\(options.isPersistent)", options: options)
        let filtered = YapDatabaseFilteredView(
            parentViewName: list, filtering: .withKeyBlock { _, group, _, _ in group.utf8.count.isMultiple(of: 2) },
            versionTag: "\(tag)")
        let setup = YapDatabaseSecondaryIndexSetup()
        setup.addColumn("name", with: .text)
        let index = YapDatabaseSecondaryIndex(
            setup: setup, handler: .withObjectBlock { _, columns, _, _, object in columns["name"] = object as? String },
            versionTag: "\(tag)")
        try database.register([
            (list, groups), ("collections", collections), ("filtered", filtered), ("index", index),
        ])
        // One file has one of the two, and says which.
        let error = #expect(throws: YapDatabaseError.self, "seed \(seed)") {
            try database.register(groups, withName: twin)
        }
        #expect(error?.code == .badExtension, "seed \(seed)")
        followers = try [list, "collections", "filtered"].map { view in
            let chosen = Self.names.filter { _ in random.below(3) > 0 }
            return try ListFollower(database, view: view, groups: chosen.shuffled(using: &random))
        }
    }

    private mutating func write() throws {
        var (left, made) = (rows, random)
        let changes = 1 + made.below(8)
        try database.newConnection().readWrite { transaction in
            for _ in 0..<changes {
                let (collection, key) = (made.pick(Self.names), made.pick(Self.names))
                let row = RowKey(collection: collection, key: key)
                switch made.below(10) {
                case 0:
                    try transaction.removeAllObjects(inCollection: collection)
                    left = left.filter { !$0.key.collection.utf8.elementsEqual(collection.utf8) }
                case 1:
                    let keys = Self.names.filter { _ in made.below(2) == 0 }
                    try transaction.removeObjects(forKeys: keys, inCollection: collection)
                    for key in keys { left[RowKey(collection: collection, key: key)] = nil }
                case 2:
                    try transaction.removeObject(forKey: key, inCollection: collection)
                    left[row] = nil
                case 3: try transaction.touchRow(forKey: key, inCollection: collection)
                default:
                    let group = made.pick(Self.names)
                    try transaction.setObject(group, forKey: key, inCollection: collection)
                    left[row] = group
                }
            }
        }
        (rows, random) = (left, made)
    }

    /// Another connection, another list of extensions, or a refill.
    private mutating func reopen() throws {
        followers = []
        try database.close()
        #expect(try YapDatabase.check(url: url) == [], "seed \(seed)")
        database = try YapDatabase(url: url, options: .forAttacks)
        if random.below(2) == 0 { tag += 1 }
        // A program that registers nothing.
        if random.below(3) == 0 { try write() }
        try register()
        try compare()
    }

    private func compare() throws {
        let model = rows
        try database.newConnection().read { transaction in
            let stored = try transaction.allCollections().flatMap { collection in
                try transaction.allKeys(inCollection: collection).map { RowKey(collection: collection, key: $0) }
            }
            #expect(Set(stored) == Set(model.keys) && stored.count == model.count, "seed \(seed)")
            for (row, group) in model {
                let object = try transaction.object(forKey: row.key, inCollection: row.collection) as? String
                #expect(object.map { Array($0.utf8) } == Array(group.utf8), "seed \(seed), \(row)")
            }
            #expect(transaction.ext(twin) == nil, "seed \(seed)")
            try expectList(list, transaction, model.mapValues { $0 })
            try expectList(
                "collections", transaction, Dictionary(uniqueKeysWithValues: model.keys.map { ($0, $0.collection) }))
            try expectList("filtered", transaction, model.filter { $0.value.utf8.count.isMultiple(of: 2) })
            let index = try #require(transaction.ext("index") as? YapDatabaseSecondaryIndexTransaction)
            for name in Self.names {
                let count = try index.numberOfRows(
                    matching: YapDatabaseQuery(string: "WHERE name = ?", parameters: [name]))
                #expect(count == model.values.count { $0.utf8.elementsEqual(name.utf8) }, "seed \(seed), \(name)")
            }
        }
    }

    private func expectList(
        _ name: String, _ transaction: YapDatabaseReadTransaction, _ groups: [RowKey: String]
    ) throws {
        let view = try #require(transaction.ext(name) as? YapDatabaseViewTransaction)
        let all = view.allGroups().map { Array($0.utf8) }
        #expect(
            all.count == Set(all).count && Set(all) == Set(groups.values.map { Array($0.utf8) }), "seed \(seed) \(name)"
        )
        for group in Self.names {
            let wanted = groups.filter { $0.value.utf8.elementsEqual(group.utf8) }.keys.sorted {
                order(($0.key, $0.collection), ($1.key, $1.collection)) == .orderedAscending
            }
            let found = try (0..<view.numberOfItems(inGroup: group)).map { try view.rowKey(at: $0, inGroup: group) }
            #expect(found == wanted, "seed \(seed), \(name), \(group)")
            #expect(view.hasGroup(group) == !wanted.isEmpty, "seed \(seed), \(name), \(group)")
        }
    }

    /// What is exported has each row, and is the same file again.
    private func export() throws {
        let listing = try FileListing(BrowsedFile(path: url.path))
        let counts = listing.collections.map { ($0.name.description, $0.count) }
        for name in Self.names {
            let count = rows.keys.count { $0.collection.utf8.elementsEqual(name.utf8) }
            let found = counts.filter { $0.0.utf8.elementsEqual(name.utf8) }.map(\.1)
            #expect(found == (count == 0 ? [] : [count]), "seed \(seed), \(name)")
        }
        var lines = 0
        _ = try FileExport(BrowsedFile(path: url.path)).run { _, _ in lines += 1 }
        #expect(lines > 0)
    }
}

private func order(_ one: (String, String), _ other: (String, String)) -> ComparisonResult {
    for (a, b) in [(one.0, other.0), (one.1, other.1)] where !a.utf8.elementsEqual(b.utf8) {
        return a.utf8.lexicographicallyPrecedes(b.utf8) ? .orderedAscending : .orderedDescending
    }
    return .orderedSame
}
