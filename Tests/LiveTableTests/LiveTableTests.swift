import Foundation
import TestSupport
import Testing

@testable import LiveTable
@testable import YapDatabase

/// From a commit on one connection to the lines of a table on another.
@Suite struct LiveTableTests {
    private struct Buddy: Codable, Hashable, Sendable {
        var name: String
        var group: String
        var lines = 1
    }

    @Test func aCommitOnAnotherConnectionMovesTheRow() throws {
        try withDatabase { database, writer in
            try set(writer, ["bob": "available", "eve": "away"])
            let (tables, list) = try roster(database)
            #expect(lines(list) == [" AVAILABLE   1", " bob", " AWAY        1", " eve", " OFFLINE     0", ""])
            try set(writer, ["bob": "offline"])
            #expect(try tables.advance(at: 1).isEmpty)
            #expect(tables.nextFrame(after: 1) != nil)
            #expect(lines(list, at: 10) == [" AWAY        1", " eve", " OFFLINE     1", " bob", "", ""])
            #expect(tables.nextFrame(after: 10) == nil)
        }
    }

    @Test func theLastFrameOfAnAnimationShowsItsEnd() throws {
        try withDatabase { database, writer in
            try set(writer, ["bob": "available", "dan": "available", "eve": "away"])
            let (tables, list) = try roster(database)
            try writer.readWrite { try $0.removeObject(forKey: "bob", inCollection: "buddies") }
            try set(writer, ["eve": "offline"])
            _ = try tables.advance(at: 1)
            var drawn = 1.0
            var frames = 0
            while let next = tables.nextFrame(after: drawn) {
                drawn = next
                frames += 1
                try #require(frames < 1000, "The animation never ends.")
            }
            #expect(frames > 5)
            #expect(lines(list, at: drawn) == lines(list, at: 100))
        }
    }

    @Test func aTableWaitsForItsViewToBeRegistered() throws {
        try withDatabase(registered: false) { database, writer in
            try set(writer, ["bob": "available"])
            let (tables, list) = try roster(database)
            #expect(lines(list) == ["", "", " Nothing here", "", "", ""])
            try database.register(Self.view(), withName: "roster")
            #expect(try tables.advance(at: 1).isEmpty)
            #expect(lines(list, at: 10)[1] == " bob")
        }
    }

    @Test func oneTellingTooManyChangesNothing() throws {
        try withDatabase { database, writer in
            let (tables, list) = try roster(database)
            try set(writer, ["bob": "available", "eve": "available"])
            _ = try tables.advance(at: 1)
            let shown = lines(list, at: 10)
            _ = try tables.advance(at: 11)
            #expect(lines(list, at: 12) == shown && tables.nextFrame(after: 12) == nil)
        }
    }

    @Test func eachDrawnRowIsLookedUpOnce() throws {
        try withDatabase { database, writer in
            try set(writer, ["ann": "available", "bob": "available", "eve": "away"])
            let (tables, list) = try roster(database)
            try tables.connection.read { transaction in
                let source = ViewSource(list, transaction: transaction)
                var table = Table(options: list.table.options)
                table.resize(width: 15, height: 6, source: source, at: 0)
                #expect(source.lookups == 3)
            }
        }
    }

    @Test func aRowThatCannotBeDrawnSaysWhyInItsPlace() throws {
        struct Unreadable: Error, CustomStringConvertible { let description = "no such picture" }
        try withDatabase { database, writer in
            try set(writer, ["bob": "available"])
            let tables = try LiveTables(connection: database.newConnection())
            let list = LiveTable(mappings: YapDatabaseViewMappings(groups: ["available"], view: "roster")) { _ in
                throw Unreadable()
            }
            try tables.add(list)
            try list.update { table, source in table.resize(width: 20, height: 2, source: source, at: 0) }
            #expect(lines(list)[0] == " no such picture")
        }
    }

    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64]))
    func afterRandomCommitsTheTableShowsWhatAFreshOneWould(seed: UInt64) throws {
        try withDatabase { database, writer in
            var random = SplitMix64(seed: seed)
            let (tables, list) = try roster(database)
            var time = 1.0
            for step in 0..<150 {
                for _ in 0..<Int.random(in: 1...2, using: &random) {
                    try writer.readWrite { transaction in
                        for _ in 0..<Int.random(in: 1...5, using: &random) {
                            let key = "k\(Int.random(in: 0..<14, using: &random))"
                            if Int.random(in: 0..<4, using: &random) == 0 {
                                try transaction.removeObject(forKey: key, inCollection: "buddies")
                            } else {
                                let group = ["available", "away", "offline"].randomElement(using: &random)!
                                let buddy = Buddy(
                                    name: "\(key) \(Int.random(in: 0..<9, using: &random))", group: group,
                                    lines: Int.random(in: 1...3, using: &random))
                                try transaction.setObject(buddy, forKey: key, inCollection: "buddies")
                            }
                        }
                    }
                }
                let misfits = try tables.advance(at: time)
                #expect(misfits.isEmpty, "seed \(seed), step \(step): \(misfits)")
                time += Double.random(in: 0...0.4, using: &random)
            }
            let (_, fresh) = try roster(database)
            try list.update { table, source in table.perform(.selectFirst, source: source, at: time) }
            try fresh.update { table, source in table.perform(.selectFirst, source: source, at: 0) }
            #expect(lines(list, at: time + 10) == lines(fresh, at: 10), "seed \(seed)")
        }
    }

    @Test func aTableThatHasNoRoomYetIsFollowedAndCanHaveASelection() throws {
        try withDatabase { database, writer in
            try set(writer, ["bob": "available", "eve": "away"])
            let tables = try LiveTables(connection: database.newConnection())
            let list = LiveTable(
                mappings: YapDatabaseViewMappings(groups: ["available", "away"], view: "roster")
            ) { RowCell([Line(text: $0.key.key)]) }
            try tables.add(list)
            let eve = RowKey(collection: "buddies", key: "eve")
            try list.update { table, source in table.select(source.path(of: eve), source: source, at: 0) }
            #expect(list.table.selection == eve)
            try set(writer, ["ann": "available", "eve": "available"])
            #expect(try tables.advance(at: 1).isEmpty)
            try list.show(YapDatabaseViewMappings(groups: ["available"], view: "roster"), at: 2)
            try set(writer, ["dan": "available"])
            #expect(try tables.advance(at: 3).isEmpty)
            try list.update { table, source in table.resize(width: 6, height: 4, source: source, at: 4) }
            #expect(lines(list, at: 10) == [" ann", " bob", " dan", " eve"])
        }
    }

    // MARK: Support

    private static func view() -> YapDatabaseAutoView {
        YapDatabaseAutoView(
            grouping: .withObjectBlock { _, _, _, object in (object as? Buddy)?.group },
            sorting: .withKeyBlock { _, _, _, a, _, b in
                a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
            })
    }

    private func withDatabase(
        registered: Bool = true, _ body: (YapDatabase, YapDatabaseConnection) throws -> Void
    ) throws {
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "test.sqlite")
            let database = try YapDatabase(url: url)
            database.registerCodableSerialization(Buddy.self, forCollection: "buddies")
            if registered { try database.register(Self.view(), withName: "roster") }
            try body(database, database.newConnection())
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    private func set(_ writer: YapDatabaseConnection, _ groups: [String: String]) throws {
        try writer.readWrite { transaction in
            for (name, group) in groups.sorted(by: { $0.key < $1.key }) {
                try transaction.setObject(Buddy(name: name, group: group), forKey: name, inCollection: "buddies")
            }
        }
    }

    private func roster(_ database: YapDatabase) throws -> (LiveTables, LiveTable) {
        let tables = try LiveTables(connection: database.newConnection())
        let mappings = YapDatabaseViewMappings(groups: ["available", "away", "offline"], view: "roster")
        for group in ["available", "away"] { mappings.setIsDynamicSection(true, forGroup: group) }
        let options = TableOptions(theme: Theme(depth: .monochrome), follows: [], hasScrollBar: false)
        let list = LiveTable(
            mappings: mappings, options: options, header: { SectionHeader($0, detail: "\($1)") },
            cell: { row in
                guard let buddy = try row.object() as? Buddy else { return RowCell([]) }
                return RowCell((0..<buddy.lines).map { Line(text: $0 == 0 ? buddy.name : "+") })
            })
        try tables.add(list)
        try list.update { table, source in table.resize(width: 15, height: 6, source: source, at: 0) }
        return (tables, list)
    }

    private func lines(_ list: LiveTable, at time: Double = 0) -> [String] {
        var grid = Grid(width: list.table.width, height: list.table.height)
        list.table.draw(into: &grid, in: grid.bounds, at: time)
        return grid.lines
    }
}
