import FileEngine
import Foundation
import SQLiteBridge
import TestSupport
import Testing

@testable import YapDatabase

/// The check of a file compares derived rows with the entries that they follow from, and these with their rows.
@Suite struct DerivedRowsCheckTests {
    private struct Person: YapPlainCodable, Sendable, Identifiable {
        var id: String
        var city: String
    }

    private struct Item: YapPlainCodable, Sendable, Identifiable {
        var id: String
        var person: String
        var size: Int
        var price: Double
        var tags: [String]
        var due: Date
    }

    private static let items = YapCollection("items", of: Item.self)
    private static let people = YapCollection("people", of: Person.self)
    private static let byPerson = YapList("byPerson", of: items, groupedBy: \.person, sortedBy: .ascending(\.id))

    private static func declarations(_ tag: String) -> [any YapDeclaration] {
        let joined = YapJoin("joined", of: items, joining: \.person, to: people, versionTag: tag)
        return [
            byPerson,
            YapList(
                "totals", groupsOf: byPerson,
                figures: [
                    YapFigure.count(where: \Item.size > 2), YapFigure.sum(\Item.size), YapFigure.sum(\Item.price),
                    YapFigure.maximum(\Item.size), YapFigure.minimum(\Item.id),
                ], sortedBy: .ascending(\.name), versionTag: tag),
            joined,
            YapList("byCity", of: joined.rows, groupedBy: \.other.city, sortedBy: .ascending(\.row.id)),
            YapList(
                "tagged", of: items, groupedByEach: \.tags, sortedBy: .ascending(\.row.id), versionTag: tag),
            YapTimed("dated", of: items, at: \.due, in: .gmt, versionTag: tag),
        ]
    }

    /// What is done to the file, and the extension that the check names.
    private static let damages = [
        (#"DELETE FROM "derived_totals.rows" WHERE rowid = 4"#, "totals"),
        (#"DELETE FROM "derived_totals.rows""#, "totals"),
        (#"UPDATE "derived_totals.rows" SET place = 'b' WHERE rowid = 4"#, "totals"),
        (#"UPDATE "derived_totals.rows" SET place = 'none' WHERE rowid = 4"#, "totals"),
        (#"UPDATE "derived_totals.rows" SET v0 = 1 - v0 WHERE rowid = 4"#, "totals"),
        (#"UPDATE "derived_totals.rows" SET v1 = v1 + 1 WHERE rowid = 4"#, "totals"),
        (#"UPDATE "derived_totals.rows" SET v2 = v2 + 0.5 WHERE rowid = 4"#, "totals"),
        (#"UPDATE "derived_totals.rows" SET v3 = 99 WHERE rowid = 4"#, "totals"),
        (#"UPDATE "derived_totals.rows" SET v4 = '' WHERE rowid = 4"#, "totals"),
        (#"UPDATE "derived_totals.rows" SET v1 = 'text' WHERE rowid = 4"#, "totals"),
        (#"UPDATE "derived_totals.rows" SET key = 'i1' WHERE rowid = 4"#, "totals"),
        (#"UPDATE "derived_totals.rows" SET rowid = 4000 WHERE rowid = 4"#, "totals"),
        (#"UPDATE yap_derived SET data = x'00' WHERE key = 'a' AND collection LIKE '%totals'"#, "totals"),
        (#"DELETE FROM "derived_joined.rows" WHERE rowid = 4"#, "joined"),
        (#"UPDATE "derived_joined.rows" SET key = 'i1' WHERE rowid = 4"#, "joined"),
        (#"UPDATE "derived_joined.rows" SET rowid = 4000 WHERE rowid = 4"#, "joined"),
        (#"DELETE FROM "derived_tagged.rows" WHERE rowid = 4"#, "tagged"),
        (#"UPDATE "derived_tagged.rows" SET key = '' WHERE rowid = 4"#, "tagged"),
        (#"DELETE FROM "derived_dated.rows" WHERE rowid = 4"#, "dated"),
    ]

    @Test(arguments: damages.indices) func whatDoesNotFitIsNamedAndFilledAgain(number: Int) throws {
        let (sql, name) = Self.damages[number]
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            func open(_ tag: String) throws -> YapDatabase {
                var options = YapDatabaseOptions.forTests
                options.clock = YapManualClock()
                let database = try YapDatabase(url: url, options: options)
                try database.register(Self.declarations(tag))
                return database
            }
            let first = try open("1")
            try first.newConnection().readWrite { transaction throws in
                for id in ["a", "b"] { try transaction[Self.people].save(Person(id: id, city: "city of \(id)")) }
                for number in 1...9 {
                    try transaction[Self.items].save(
                        Item(
                            id: "i\(number)", person: number % 2 == 0 ? "a" : "b", size: number,
                            price: Double(number) / 4, tags: ["x", "tag \(number % 3)"],
                            due: Date(timeIntervalSinceReferenceDate: Double(number) * 40_000)))
                }
            }
            try first.close()
            #expect(try YapDatabase.check(url: url) == [])
            do {
                let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
                try handle.execute(sql)
                #expect(handle.changes > 0)
            }
            let problems = try YapDatabase.check(url: url)
            #expect(
                !problems.isEmpty && problems.allSatisfy { $0.extensionName == name + ".rows" }, "\(sql): \(problems)")
            #expect(problems.allSatisfy { $0.canBeRebuilt }, "\(problems)")
            #expect(problems.allSatisfy { $0.remedy.contains("Register \"\(name)\" with another version tag") })
            try open("2").close()
            #expect(try YapDatabase.check(url: url) == [], "\(sql)")
        }
    }

    /// A key may be empty, and a program that registers nothing may change the rows.
    @Test func aRowWithoutAKeyAndStaleEntriesAreNoDamage() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            try database.register(Self.declarations("1"))
            try database.newConnection().readWrite { transaction throws in
                try transaction[Self.items].save(
                    Item(
                        id: "", person: "", size: 1, price: 2, tags: [], due: Date(timeIntervalSinceReferenceDate: 0)))
                try transaction[Self.people].save(Person(id: "", city: "none"))
            }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
            let other = try YapDatabase(url: url, options: .forTests)
            try other.newConnection().readWrite { try $0.removeAllObjects(inCollection: "items") }
            try other.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }
}
