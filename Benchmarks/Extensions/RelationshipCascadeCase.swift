import Foundation
import YapDatabase

let relationshipCases: [Case] = [relationshipCascadeCase]

/// The deletion of a row with which the rules of a relationship delete 10,000 others, against the same rows with a foreign key
/// to their parent and `ON DELETE CASCADE`.
private let relationshipCascadeCase = Case(
    name: "relationship_cascade", n: people, k: Tree.count, unit: "µs/row", targets: [.ratio(atMost: 2)]
) {
    try withScratchFolder { folder in
        let files = (ours: folder.appending(path: "ours.sqlite"), raw: folder.appending(path: "raw.sqlite"))
        try withTree(files.ours) { database in
            try database.newConnection().readWrite { transaction in
                for number in 0..<people {
                    try transaction.setObject(Tree(number), forKey: Tree.key(number), inCollection: Tree.collection)
                }
            }
        }
        try RawTree(files.raw).fill()
        var times: (ours: [Double], raw: [Double]) = ([], [])
        for round in 0..<5 {
            let copies = (ours: folder.appending(path: "ours-\(round)"), raw: folder.appending(path: "raw-\(round)"))
            try copyDatabase(files.ours, to: copies.ours)
            try copyDatabase(files.raw, to: copies.raw)
            try withTree(copies.ours) { database in
                let connection = try database.newConnection()
                times.ours.append(
                    try passed {
                        try connection.readWrite {
                            try $0.removeObject(forKey: Tree.key(0), inCollection: Tree.collection)
                        }
                    })
                let left = try connection.read { try $0.numberOfKeys(inCollection: Tree.collection) }
                guard left == people - Tree.count else { throw RawError("\(left) rows are left.") }
            }
            let reference = try RawTree(copies.raw)
            times.raw.append(try passed { try reference.removeRoot() })
        }
        return Measurement(times.ours, times.raw, scale: 1e6 / Double(Tree.count))
    }
}

/// A row of a tree in which each row has ten children; beyond `count`, rows without a parent.
private struct Tree: Codable, YapDatabaseRelationshipNode {
    static let collection = "tree"
    static let count = 10_001

    var number: Int

    init(_ number: Int) { self.number = number }

    static func key(_ number: Int) -> String { "row-\(number)" }

    var parent: Int? { (1..<Self.count).contains(number) ? (number - 1) / 10 : nil }

    func yapDatabaseRelationshipEdges() -> [YapDatabaseRelationshipEdge]? {
        parent.map {
            [
                YapDatabaseRelationshipEdge(
                    name: "parent", destinationKey: Self.key($0), collection: Self.collection,
                    nodeDeleteRules: .deleteSourceIfDestinationDeleted)
            ]
        }
    }
}

@MainActor private func withTree(_ url: URL, _ body: (YapDatabase) throws -> Void) throws {
    try withDatabase(url) { database in
        database.registerCodableSerialization(Tree.self, forCollection: Tree.collection, as: .json)
        try database.register(YapDatabaseRelationship(), withName: "tree")
        try body(database)
    }
}

/// The same rows with SQLite alone.
private struct RawTree {
    private let database: RawHandle

    init(_ url: URL) throws {
        database = try RawHandle(
            url,
            setup: [
                "PRAGMA foreign_keys = ON",
                """
                CREATE TABLE IF NOT EXISTS "tree" ("rowid" INTEGER PRIMARY KEY, "collection" CHAR NOT NULL, \
                "key" CHAR NOT NULL, "data" BLOB, "metadata" BLOB, \
                "parent" INTEGER REFERENCES "tree" ("rowid") ON DELETE CASCADE)
                """,
                #"CREATE UNIQUE INDEX IF NOT EXISTS "tree_key" ON "tree" ("collection", "key")"#,
                #"CREATE INDEX IF NOT EXISTS "tree_parent" ON "tree" ("parent")"#,
            ])
    }

    func fill() throws {
        let insert = try database.prepare(
            #"INSERT INTO "tree" ("rowid", "collection", "key", "data", "parent") VALUES (?, ?, ?, ?, NULLIF(?, 0))"#)
        let encoder = JSONEncoder()
        try database.inTransaction {
            for number in 0..<people {
                let row = Tree(number)
                let parent = Int64(row.parent.map { $0 + 1 } ?? 0)
                try insert.run(
                    Int64(number + 1), Tree.collection, Tree.key(number), encoder.encode(row), parent)
            }
        }
    }

    func removeRoot() throws {
        let delete = try database.prepare(#"DELETE FROM "tree" WHERE "collection" = ? AND "key" = ?"#)
        try database.inTransaction { try delete.run(Tree.collection, Tree.key(0)) }
    }
}
