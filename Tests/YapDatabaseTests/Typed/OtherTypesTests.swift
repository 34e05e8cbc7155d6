import Foundation
import TestSupport
import TestTraits
import Testing

@testable import YapDatabase

/// A collection is read as another type than its lists read it: they stay right.
@Suite(.serialized) struct OtherTypesTests {
    private static let folder = ProcessFolder("other-types")

    private struct Todo: Codable, Sendable, Identifiable, Equatable {
        var id: Int
        var project: String
        var priority = 1
    }
    private struct Head: Codable, Sendable, Identifiable { var id: Int }

    private static let todos = YapCollection("todos", of: Todo.self)
    private static let heads = YapCollection("todos", of: Head.self)
    private static let byProject = YapList(
        "byProject", of: todos, groupedBy: \.project, sortedBy: .descending(\.priority))
    private static let projects = YapList("projects", groupsOf: byProject, keeping: [.first, .last])

    private func saveAsAnother() throws {
        let database = try YapDatabase(url: Self.folder.ofParent.appending(path: "t.sqlite"), options: .forTests)
        try database.newConnection().readWrite { try $0[Self.todos].save(Todo(id: 9, project: "p")) }
        try database.close()
    }
    private static func close(_ database: YapDatabase) throws { try database.close() }
    private static func read<Value>(
        _ connection: YapDatabaseConnection, _ body: (YapDatabaseReadTransaction) throws -> Value
    ) throws -> Value { try connection.read(body) }
    private static func write<Value>(
        _ connection: YapDatabaseConnection, _ body: (YapDatabaseReadWriteTransaction) throws -> Value
    ) throws -> Value { try connection.readWrite(body) }
    private static func open(_ url: URL) throws -> YapDatabase {
        let database = try YapDatabase(url: url, options: .forTests)
        try database.register(byProject, projects)
        return database
    }

    @Test func listsReadTheRowsAsTheyAreDeclared() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let url = folder.appending(path: "t.sqlite")
        let database = try Self.open(url)
        let connection = try database.newConnection()
        try Self.write(connection) { transaction throws in
            for id in 0..<3 { try transaction[Self.todos].save(Todo(id: id, project: "p")) }
        }
        // It is read as something else, and another process writes.
        #expect(try Self.read(connection) { try $0[Self.heads][1]?.id } == 1)
        await #expect(processExitsWith: .success) { try OtherTypesTests().saveAsAnother() }
        try waitUntil("The row of the other process is there") {
            try Self.read(connection) { try $0[Self.byProject].values(in: "p").count == 4 }
        }
        try Self.write(connection) { transaction throws in
            // Read in between, before what follows is derived.
            try transaction[Self.todos].save(Todo(id: 10, project: "p", priority: 5))
            #expect(try transaction[Self.heads].count == 5)
            #expect(try transaction[Self.heads][10]?.id == 10)
            #expect((transaction.ext("byProject") as? YapDatabaseViewTransaction)?.numberOfItems(inGroup: "p") == 5)
            #expect(try transaction[Self.todos][10]?.priority == 5)
            try transaction[Self.todos].save(Todo(id: 11, project: "p", priority: 0))
            _ = try transaction[Self.heads][0]
        }
        try Self.read(connection) { transaction throws in
            #expect(try transaction[Self.byProject].values(in: "p").count == 6)
            let row = try #require(try transaction[Self.projects].values().first)
            #expect(row.count == 6 && row.first?.id == 10 && row.last?.id == 11)
            #expect(try transaction[Self.byProject].problems == [])
            // One connection, both types, in turn.
            for _ in 0..<2 {
                #expect(try transaction[Self.heads][2]?.id == 2)
                #expect(try transaction[Self.todos][2] == Todo(id: 2, project: "p"))
            }
        }
        try Self.close(database)
        #expect(try YapDatabase.check(url: url) == [])
    }

    /// What is saved as another type is left out and said, and nothing else is.
    @Test func aRowThatIsSavedAsAnotherTypeIsLeftOutAlone() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let database = try Self.open(url)
            let connection = try database.newConnection()
            let other = try database.newConnection()
            try connection.readWrite { transaction throws in
                for id in 0..<5 { try transaction[Self.todos].save(Todo(id: id, project: "p", priority: id)) }
            }
            #expect(try other.read { try $0[Self.todos][3]?.priority } == 3)
            try connection.readWrite { transaction throws in
                try transaction[Self.heads].save(Head(id: 4))
                try transaction[Self.todos].save(Todo(id: 5, project: "p", priority: 9))
                try transaction[Self.heads].save(Head(id: 7))
            }
            for one in [connection, other] {
                try one.read { transaction throws in
                    #expect(try transaction[Self.byProject].values(in: "p").map(\.id) == [5, 3, 2, 1, 0])
                    #expect(Set(try transaction[Self.byProject].problems.map(\.key)) == ["4", "7"])
                    #expect(try transaction[Self.heads][4]?.id == 4)
                    #expect(try transaction[Self.projects].values().first?.count == 5)
                }
            }
            try database.close()
        }
    }

    /// A manual list keeps the row, and a filter over it leaves it out: it does not stop the write.
    @Test func aFilterOfAManualListLeavesARowOfAnotherTypeOut() throws {
        try withTemporaryDatabase { database throws in
            let manual = YapList.manual("manual", of: Self.todos)
            let urgent = YapList("urgent", filtering: manual, where: \.priority > 1)
            let shouted = YapList(
                "shouted", filtering: manual, where: .holds { $0.project.uppercased() == "P" }, versionTag: "1")
            try database.register(manual, urgent, shouted)
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                for id in 0..<3 {
                    try transaction[Self.todos].save(Todo(id: id, project: "p", priority: 2 * id))
                    try transaction[manual].append(id)
                }
                try transaction[Self.heads].save(Head(id: 2))
            }
            try connection.readWrite { transaction throws in
                try transaction[Self.heads].save(Head(id: 7))
                try transaction[manual].append(7)
                try transaction[Self.todos].save(Todo(id: 0, project: "q", priority: 5))
            }
            try connection.read { transaction throws in
                #expect(try transaction[urgent].values().map(\.id) == [0, 1])
                #expect(try transaction[shouted].values().map(\.id) == [1])
                #expect(Set(try transaction[urgent].problems.map(\.key)) == ["2", "7"])
            }
            try connection.readWrite { transaction throws in
                for id in [7, 2] { try transaction[Self.todos].save(Todo(id: id, project: "p", priority: 3)) }
            }
            #expect(try connection.read { try $0[urgent].values().map(\.id) } == [0, 1, 2, 7])
        }
    }

    /// A collection that is declared with another format than its rows have is not damaged.
    @Test(arguments: [true, false]) func anotherFormatIsNamed(isJSON: Bool) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let json = YapCollection("todos", of: Todo.self, as: .json)
            let (written, read) = isJSON ? (json, Self.todos) : (Self.todos, json)
            let first = try YapDatabase(url: url, options: .forTests)
            try first.newConnection().readWrite { try $0[written].save(Todo(id: 1, project: "p")) }
            try first.close()
            let database = try YapDatabase(url: url, options: .forTests)
            let all = try database.register(YapList("all", of: read, sortedBy: .ascending(\.id)))
            let cause = isJSON ? ["look like JSON", "`as: .json`"] : ["binary property list", "`as: .propertyList`"]
            try database.newConnection().read { transaction throws in
                expectError(.decodingFailed, mentioning: "todos/1", cause[0], cause[1]) {
                    _ = try transaction[read][1]
                }
                let problem = try #require(try transaction[all].problems.first)
                #expect(problem.cause.contains(cause[0]) && !problem.cause.contains("damaged"))
            }
            try database.close()
            #expect(try YapDatabase.check(url: url).count == 1)
        }
    }
}
