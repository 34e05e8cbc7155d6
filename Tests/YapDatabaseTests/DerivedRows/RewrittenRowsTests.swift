import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// Rows that follow from others are written when these change: not if they stay as they are, and whatever they were before.
@Suite struct RewrittenRowsTests {
    struct Task: YapPlainCodable, Equatable, Sendable, Identifiable {
        var id: Int
        var person: Int
        var title: String
    }

    struct Person: YapPlainCodable, Equatable, Sendable, Identifiable {
        var id: Int
        var name: String
    }

    private static let tasks = YapCollection("tasks", of: Task.self)
    private static let people = YapCollection("people", of: Person.self)
    private static let assigned = YapJoin("assigned", of: tasks, joining: \.person, to: people)
    private static let board = YapList("board", of: assigned.rows, sortedBy: .ascending(\.other.name))
    private static let byPerson = YapList("byPerson", of: tasks, groupedBy: \.person, sortedBy: .ascending(\.title))
    private static let desks = YapList(
        "desks", groupsOf: byPerson, figures: [sum], keeping: .last, sortedBy: .descending(\.count))
    private static let sum = YapFigure.sum(\Task.id)

    /// - Parameter keepsObjects: whether the connection has the rows that it wrote in its cache.
    @Test(arguments: [false, true]) func aPersonThatIsStoredAgainChangesNoJoinedRow(keepsObjects: Bool) throws {
        try withLists(keepsObjects) { connection, coordinator throws in
            // The untyped function does not look at what is stored.
            try connection.readWrite {
                try $0.setObject(Person(id: 1, name: "Ada"), forKey: "1", inCollection: "people")
            }
            #expect(try Self.changes(coordinator).isEmpty)
            try connection.readWrite {
                try $0.setObject(Person(id: 1, name: "Eve"), forKey: "1", inCollection: "people")
            }
            #expect(try Self.changes(coordinator) == ["board": 3])
            let names = try connection.read { try $0[Self.board].values().map(\.other.name) }
            #expect(names == ["Bob", "Eve", "Eve", "Eve"])
        }
    }

    @Test(arguments: [false, true]) func aTaskInTheMiddleChangesNoRowOfItsGroup(keepsObjects: Bool) throws {
        try withLists(keepsObjects) { connection, coordinator throws in
            try connection.readWrite { try $0[Self.tasks].save(Task(id: 2, person: 1, title: "bb")) }
            #expect(try Self.changes(coordinator) == ["board": 1])
            try connection.readWrite { try $0[Self.tasks].save(Task(id: 3, person: 1, title: "cc")) }
            #expect(try Self.changes(coordinator) == ["board": 1, "desks": 1])
            let last = try connection.read { try $0[Self.desks].values().map { $0.last?.title } }
            #expect(last == ["cc", "d"])
        }
    }

    /// A derived row that was damaged costs itself until one of the rows that it follows from is written, and keeps none from being written.
    @Test(arguments: ["x'0102'", "NULL", "x''"]) func damagedRowsAreWrittenAgain(data: String) throws {
        try withLists(false) { connection, _ throws in
            try connection.readWrite { transaction throws in
                try transaction.store.execute("UPDATE yap_derived SET data = \(data) WHERE key IN ('1', '2')")
            }
            try connection.readWrite { transaction throws in
                try transaction[Self.people].save(Person(id: 1, name: "Eve"))
                try transaction[Self.tasks].save(Task(id: 5, person: 1, title: "e"))
                try transaction[Self.tasks].save(Task(id: 6, person: 2, title: "f"))
                try transaction[Self.tasks].remove(4)
            }
            try connection.read { transaction throws in
                let rows = try transaction[Self.board].values().map { "\($0.row.id) \($0.other.name)" }
                #expect(rows.sorted() == ["1 Eve", "2 Eve", "3 Eve", "5 Eve", "6 Bob"])
                let desks = try transaction[Self.desks].values()
                #expect(desks.map(\.name) == ["1", "2"] && desks.map(\.count) == [4, 1])
                #expect(desks.map { $0.last?.title } == ["e", "f"] && desks.map { $0[Self.sum] } == [11, 6])
            }
        }
    }

    private func withLists(
        _ keepsObjects: Bool, _ body: (YapDatabaseConnection, YapDatabaseViewCoordinator) throws -> Void
    ) throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            connection.objectCacheEnabled = keepsObjects
            try database.register(Self.assigned, Self.board, Self.byPerson, Self.desks)
            try connection.readWrite { transaction throws in
                try transaction[Self.people].save([Person(id: 1, name: "Ada"), Person(id: 2, name: "Bob")])
                for (id, title) in zip(1..., ["a", "b", "c"]) {
                    try transaction[Self.tasks].save(Task(id: id, person: 1, title: title))
                }
                try transaction[Self.tasks].save(Task(id: 4, person: 2, title: "d"))
            }
            let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
            for mappings in [Self.board.mappings(), Self.desks.mappings()] { try coordinator.follow(mappings) }
            try body(connection, coordinator)
        }
    }

    /// How many changes of rows each list has that changed.
    private static func changes(_ coordinator: YapDatabaseViewCoordinator) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for (list, outcome) in try coordinator.advance() {
            switch outcome {
            case .none: continue
            case .changes(let changes): counts[list.view] = changes.rowChanges.count
            case .reload: counts[list.view] = -1
            }
        }
        return counts
    }
}
