import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// A program whose types have another version finds joined rows, groups' rows, rows in each of their groups and rows with days as its own types
/// have them, also before the rows themselves are written again.
@Suite struct RelatedVersionTests {
    private struct TaskV1: Codable, Hashable, Sendable, Identifiable {
        var id: Int
        var person: Int
        var tags: [String]
        var due: Date
    }
    private struct TaskV2: Codable, Hashable, Sendable, Identifiable {
        var id: Int
        var person: Int
        var tags: [String]
        var due: Date
        var state: String
    }
    private struct PersonV1: Codable, Hashable, Sendable, Identifiable {
        var id: Int
        var name: String
    }
    private struct PersonV2: Codable, Hashable, Sendable, Identifiable {
        var id: Int
        var names: [String]
    }

    private static let tasksV1 = YapCollection("tasks", of: TaskV1.self)
    private static let tasksV2 = YapCollection(
        "tasks", of: TaskV2.self, version: 2,
        migrating: .from(1, TaskV1.self) {
            TaskV2(id: $0.id, person: $0.person, tags: $0.tags, due: $0.due, state: "old")
        })
    private static let peopleV1 = YapCollection("people", of: PersonV1.self)
    private static let peopleV2 = YapCollection(
        "people", of: PersonV2.self, version: 2,
        migrating: .from(1, PersonV1.self) { PersonV2(id: $0.id, names: [$0.name]) })

    /// What a program declares over its types.
    private struct Declarations<
        Task: Codable & Sendable & Identifiable, Person: Codable & Sendable & Identifiable
    > where Task.ID == Int, Person.ID == Int {
        let assigned: YapJoin<Task, Int, Never, Person>
        let board: YapList<YapJoinedRow<Task, Person>, Int, Never>
        let latest: YapList<YapGroupRow<YapJoinedRow<Task, Person>>, String, Never>
        let tagged: YapList<YapPlacedRow<Task, String>, YapPlacedKey<Int>, Never>
        let dated: YapTimed<Task, Int, Never>
        let again: YapJoin<YapJoinedRow<Task, Person>, Int, Never, Person>

        init(
            _ tasks: YapCollection<Task, Int, Never>, _ people: YapCollection<Person, Int, Never>,
            _ person: KeyPath<Task, Int> & Sendable, _ tags: KeyPath<Task, [String]> & Sendable,
            _ due: KeyPath<Task, Date> & Sendable, _ rowPerson: KeyPath<YapJoinedRow<Task, Person>, Int> & Sendable
        ) {
            assigned = YapJoin("assigned", of: tasks, joining: person, to: people)
            board = YapList("board", of: assigned.rows, sortedBy: .ascending(rowPerson), versionTag: "1")
            latest = YapList("latest", groupsOf: board, versionTag: "1")
            tagged = YapList("tagged", of: tasks, groupedByEach: tags, versionTag: "1")
            dated = YapTimed("dated", of: tasks, at: due, in: .gmt, versionTag: "1")
            again = YapJoin("again", of: assigned.rows, joining: rowPerson, to: people, versionTag: "1")
        }

        func register(in database: YapDatabase) throws {
            try database.register(assigned, board, latest)
            try database.register(tagged)
            try database.register(dated, again)
        }
    }

    @Test func copiesOfAnotherVersionAreMadeAgain() throws {
        let v1 = Declarations(Self.tasksV1, Self.peopleV1, \.person, \.tags, \.due, \.row.person)
        let v2 = Declarations(Self.tasksV2, Self.peopleV2, \.person, \.tags, \.due, \.row.person)
        let (day, count) = (Date(timeIntervalSinceReferenceDate: 800_000_000), 40)
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "versions.sqlite")
            var database = try YapDatabase(url: url, options: .forTests)
            try v1.register(in: database)
            try database.newConnection().readWrite { transaction throws in
                try transaction[Self.peopleV1].save((0..<5).map { PersonV1(id: $0, name: "person \($0)") })
                try transaction[Self.tasksV1].save(
                    (0..<count).map { TaskV1(id: $0, person: $0 % 5, tags: ["a", "b\($0 % 3)"], due: day) })
            }
            try database.close()

            for isMigrated in [false, true] {
                let context = Comment(rawValue: "migrated: \(isMigrated)")
                database = try YapDatabase(url: url, options: .forTests)
                try v2.register(in: database)
                try database.newConnection().read { transaction throws in
                    let joined = try transaction[v2.board].values()
                    #expect(joined.count == count && joined.allSatisfy { $0.row.state == "old" }, context)
                    #expect(joined.allSatisfy { $0.other.names == ["person \($0.row.person)"] }, context)
                    let latest = try transaction[v2.latest].values()
                    #expect(latest.map(\.count) == [count] && latest[0].last?.row.state == "old", context)
                    let placed = try ["a", "b0", "b1", "b2"].flatMap { try transaction[v2.tagged].values(in: $0) }
                    #expect(placed.count == 2 * count && placed.allSatisfy { $0.row.state == "old" }, context)
                    #expect(
                        try transaction[v2.dated.rows].values().map(\.row.state)
                            == Array(repeating: "old", count: count), context)
                    let again = try transaction[v2.again.rows].values()
                    #expect(again.count == count && again.allSatisfy { $0.other.names == $0.row.other.names }, context)
                }
                // The next program of this version finds rows that were written again.
                if !isMigrated {
                    _ = try database.migrate(Self.tasksV2)
                    _ = try database.migrate(Self.peopleV2)
                }
                try database.close()
                #expect(try YapDatabase.check(url: url) == [], context)
            }
        }
    }
}
