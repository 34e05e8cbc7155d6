import FileEngine
import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// Figures in a group's row, and values in an entry, that no derivation gives: nothing stops, and they are counted again when a row of the group
/// is written. The names of a row's groups, which its entry has, may be any text, too.
@Suite struct DamagedFiguresTests {
    struct Item: YapPlainCodable, Equatable, Sendable, Identifiable {
        var id: Int
        var group: String
        var size: Int
        var price: Double
    }

    private static let items = YapCollection("items", of: Item.self)
    private static let byGroup = YapList("byGroup", of: items, groupedBy: \.group, sortedBy: .ascending(\.id))
    private static let small = YapFigure.count(where: \Item.size < 3)
    private static let size = YapFigure.sum(\Item.size)
    private static let price = YapFigure.sum(\Item.price)
    private static let largest = YapFigure.maximum(\Item.size)
    private static let shelves = YapList(
        "shelves", groupsOf: byGroup, figures: [small, size, price, largest], keeping: .last,
        sortedBy: .ascending(\.name))

    private static func item(_ id: Int) -> Item {
        Item(id: id, group: id < 5 ? "a" : "b", size: id, price: Double(id) / 4)
    }

    private func withItems(_ body: (YapDatabase, YapDatabaseConnection) throws -> Void) throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { try $0[Self.items].save((1...8).map(Self.item)) }
            try database.register(Self.byGroup, Self.shelves)
            try body(database, connection)
        }
    }

    private func expectRight(_ connection: YapDatabaseConnection, _ items: [Item], _ context: Comment) throws {
        let rows = try connection.read { try $0[Self.shelves].values() }
        for row in rows {
            let items = items.filter { $0.group == row.name }
            #expect(row.count == items.count && row[Self.small] == items.count { $0.size < 3 }, context)
            #expect(row[Self.size] == items.reduce(0) { $0 + $1.size }, context)
            #expect(row[Self.price] == items.reduce(0) { $0 + $1.price }, context)
            #expect(row[Self.largest] == items.map(\.size).max(), context)
        }
        #expect(rows.map(\.name) == ["a", "b"], context)
    }

    private static func sum(_ json: String) throws -> FigureState {
        .real(try JSONDecoder().decode(ExactSum.self, from: Data(json.utf8)))
    }

    /// Numbers with which a sum overflows, and figures of another kind under the name of each.
    private static func states() throws -> [FigureState] {
        [
            .count(.max), .count(.min), .count(-1), .count(3), .whole(.max), .whole(.min), .whole(1 << 120),
            .extreme(FigureBound(.integer(1))), .extreme(FigureBound(nil)), try sum("[0,9223372036854775807,0,0]"),
            try sum("[0,0,9223372036854775807,0]"), try sum("[0,0,0,-9223372036854775808]"), try sum("[0,0,-5,0]"),
        ]
    }

    @Test(arguments: 0..<4) func aFigureThatCannotBeRightIsCounted(place: Int) throws {
        for state in try Self.states() {
            // A number that is possible is not known to be wrong.
            if case (0, .count(3)) = (place, state) { continue }
            try withItems { _, connection throws in
                try connection.readWrite { transaction throws in
                    let key = RowKey(collection: RowTable.derivedMark + "shelves", key: "a")
                    let row = try #require(
                        try transaction.value(of: YapGroupRow<Item>.self, .key(key), key))
                    var figures = row.figures
                    figures[place] = GroupFigure(name: figures[place].name, state: state)
                    let damaged = YapGroupRow(
                        name: row.name, count: row.count, first: row.first, last: row.last, figures: figures)
                    try transaction.derivingRows { try transaction.setDerivedValue(damaged, key, over: nil) }
                }
                var items = (1...8).map(Self.item)
                items[1].price = 20
                items[1].size = 1
                try connection.readWrite { try $0[Self.items].save(items[1]) }
                try expectRight(connection, items, "\(state)")
            }
        }
    }

    /// The row of a damaged entry is written, and then another one of its group.
    @Test(
        arguments: ["v0", "v1", "v2", "v3"],
        [
            "-9223372036854775808", "9223372036854775807", "2", "'NaN'", "'x'", "NULL", "1.5", "9e999", "-9e999",
            "x'00'",
        ]) func anEntryThatCannotBeRightIsCountedAgain(column: String, value: String) throws
    {
        // A whole number in an entry of whole numbers, and a real one of real ones, may be right.
        let isPossible =
            switch column {
            case "v1": Int(value) != nil || value == "NULL"
            case "v2": ["1.5", "NULL", "'NaN'"].contains(value)
            default: false
            }
        try withItems { database, connection throws in
            try connection.readWrite { transaction throws in
                try transaction.store.execute(
                    #"UPDATE "derived_shelves.rows" SET \#(column) = \#(value) WHERE rowid = 2"#)
            }
            var items = (1...8).map(Self.item)
            for place in [0, 1, 2] {
                items[place].price += 7
                items[place].size = 2
                try connection.readWrite { try $0[Self.items].save(items[place]) }
                if place > 0, !isPossible { try expectRight(connection, items, "after \(items[place])") }
            }
            guard isPossible, !["2", "'NaN'"].contains(value) else { return }
            // Only the check tells it.
            let problems = try YapDatabase.check(url: database.databaseURL)
            #expect(problems.map(\.extensionName) == ["shelves.rows"], "\(problems)")
            #expect(problems.allSatisfy { $0.description.contains("is not that of its entries") }, "\(problems)")
            try database.unregister(Self.shelves)
            try database.register(Self.shelves)
            try expectRight(connection, items, "filled again")
        }
    }

    @Test func namesOfGroupsThatLeadBeyondTheirTextEndIt() {
        let beyond = [Int.max, Int.max - 20, 1 << 62, 5, 4, -1, Int.min].map { "\($0):abc" }
        for text in beyond + ["99999999999999999999:abc", "3", "x:abc", ""] {
            #expect(GroupNames(stored: text).names == [], "\(text)")
            #expect(GroupNames(stored: "2:ab" + text).names == ["ab"], "\(text)")
        }
        let names = ["a", "", "2:b", "\u{E9}"]
        #expect(GroupNames(stored: GroupNames(names).stored).names.hasSameBytes(as: names))
    }
}
