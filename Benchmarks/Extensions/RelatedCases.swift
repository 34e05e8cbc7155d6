import Foundation
import SeededRandom
import YapDatabase

/// Joined lists and lists whose rows stand in several groups, beside the same by hand: rows, a table in the order of the list, and an index on the
/// foreign key, which the program keeps.
let relatedCases: [Case] = [joinCase("join_commit", 1.8), joinCase("join_rename", 2), eachGroupCase, figureCase]

private struct Chore: YapPlainCodable, Sendable, Identifiable {
    var id: Int
    var title: String
    var person: Int
    var priority: Int
    var tags: [String]

    init(_ id: Int, _ random: inout SplitMix64) {
        (self.id, title) = (id, "Chore \(id), with a title of the usual length")
        (person, priority) = (id % peopleCount, random.below(1_000))
        tags = (0..<5).map { "tag \((id &* 31 &+ $0 &* 7) % 50)" }
    }
}

private struct Assignee: YapPlainCodable, Sendable, Identifiable {
    var id: Int
    var name: String
    var team: String
}

private let taskCount = 100_000
private let peopleCount = 100
private let tasks = YapCollection("tasks", of: Chore.self)
private let assignees = YapCollection("assignees", of: Assignee.self)
private let assigned = YapJoin("assigned", of: tasks, joining: \.person, to: assignees)
private let board = YapList(
    "board", of: assigned.rows, groupedBy: \.other.team, sortedBy: .ascending(\.other.name), .descending(\.row.priority)
)
private let tagged = YapList("tagged", of: tasks, groupedByEach: \.tags, sortedBy: .ascending(\.row.priority))

private func person(_ id: Int, named name: String) -> Assignee { Assignee(id: id, name: name, team: "team \(id % 10)") }

/// What a program keeps without lists.
private final class Tables {
    private let handle: RawHandle
    private let set, setPerson, person, tasksOf, place, leave, tag, shown, shownTag: RawStatement
    private let encoder = JSONEncoder()

    init(_ url: URL) throws {
        handle = try RawHandle(
            url,
            setup: [
                #"CREATE TABLE "task" ("id" INTEGER PRIMARY KEY, "person" INTEGER, "priority" INTEGER, "data" BLOB)"#,
                #"CREATE INDEX "ofPerson" ON "task" ("person")"#,
                #"CREATE TABLE "person" ("id" INTEGER PRIMARY KEY, "name" TEXT, "team" TEXT)"#,
                #"CREATE TABLE "board" ("team" TEXT, "name" TEXT, "priority" INTEGER, "task" INTEGER, PRIMARY KEY ("team", "name", "priority", "task")) WITHOUT ROWID"#,
                #"CREATE TABLE "tagged" ("tag" TEXT, "priority" INTEGER, "task" INTEGER, PRIMARY KEY ("tag", "priority", "task")) WITHOUT ROWID"#,
            ])
        set = try handle.prepare(#"INSERT OR REPLACE INTO "task" VALUES (?, ?, ?, ?)"#)
        setPerson = try handle.prepare(#"INSERT OR REPLACE INTO "person" VALUES (?, ?, ?)"#)
        person = try handle.prepare(#"SELECT "name", "team" FROM "person" WHERE "id" = ?"#)
        tasksOf = try handle.prepare(#"SELECT "id", "priority" FROM "task" WHERE "person" = ?"#)
        place = try handle.prepare(#"INSERT INTO "board" VALUES (?, ?, ?, ?)"#)
        leave = try handle.prepare(
            #"DELETE FROM "board" WHERE "team" = ? AND "name" = ? AND "priority" = ? AND "task" = ?"#)
        tag = try handle.prepare(#"INSERT INTO "tagged" VALUES (?, ?, ?)"#)
        (shown, shownTag) = (try Self.first50(handle, "board", "team"), try Self.first50(handle, "tagged", "tag"))
    }

    private static func first50(_ handle: RawHandle, _ table: String, _ column: String) throws -> RawStatement {
        try handle.prepare(
            #"SELECT "data" FROM "\#(table)" JOIN "task" ON "id" = "\#(table)"."task" WHERE "\#(column)" = ? LIMIT 50"#)
    }

    func inTransaction(_ body: () throws -> Void) throws { try handle.inTransaction(body) }

    /// - Parameter before: the task as it is, which leaves its place.
    func save(_ task: Chore, before: Chore?) throws {
        let found = try person.first(Int64(task.person)) { ($0.text(0), $0.text(1)) }
        let (name, team) = found ?? ("", "")
        if let before { try leave.run(team, name, Int64(-before.priority), Int64(task.id)) }
        try set.run(Int64(task.id), Int64(task.person), Int64(task.priority), try encoder.encode(task))
        try place.run(team, name, Int64(-task.priority), Int64(task.id))
    }

    func save(_ person: Assignee, before: String) throws {
        try setPerson.run(Int64(person.id), person.name, person.team)
        var moved: [(id: Int64, priority: Int64)] = []
        try tasksOf.forEach(binding: [Int64(person.id)]) { moved.append(($0.int64(0), $0.int64(1))) }
        for (id, priority) in moved {
            try leave.run(person.team, before, -priority, id)
            try place.run(person.team, person.name, -priority, id)
        }
    }

    func saveWithTags(_ task: Chore) throws {
        try set.run(Int64(task.id), Int64(task.person), Int64(task.priority), try encoder.encode(task))
        for name in task.tags { try tag.run(name, Int64(task.priority), Int64(task.id)) }
    }

    func first50(ofTeam team: String) throws -> Int { try sum(shown, team) }
    func first50(ofTag tag: String) throws -> Int { try sum(shownTag, tag) }

    private func sum(_ statement: RawStatement, _ group: String) throws -> Int {
        var sum = 0
        try statement.forEach(binding: [group]) { sum += $0.data(0).count }
        return sum
    }
}

/// A task with another priority, or a person with another name, to the change-set of the first 50 rows of a team; by hand to these rows.
private func joinCase(_ name: String, _ limit: Double) -> Case {
    let isRename = name == "join_rename"
    return Case(
        name: name, n: taskCount, k: isRename ? taskCount / peopleCount : 1, unit: isRename ? "ms" : "µs",
        targets: [.ratio(atMost: limit)]
    ) {
        try withScratchFolder { folder in
            var random = SplitMix64(seed: 3)
            var stored = (0..<taskCount).map { Chore($0, &random) }
            var names = (0..<peopleCount).map { "person \($0)" }
            let tables = try Tables(folder.appending(path: "raw.sqlite"))
            try tables.inTransaction {
                for id in 0..<peopleCount { try tables.save(person(id, named: names[id]), before: "") }
                for task in stored { try tables.save(task, before: nil) }
            }
            return try withDatabase(folder.appending(path: "ours.sqlite"), postsNotifications: false) { database in
                let connection = try database.newConnection()
                try connection.readWrite { transaction in
                    try transaction[assignees].save((0..<peopleCount).map { person($0, named: names[$0]) })
                    try transaction[tasks].save(stored)
                }
                try database.register(assigned, board)
                let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
                try coordinator.follow(board.mappings(.first(50, groups: ["team 3"])))
                var times: (ours: [Double], raw: [Double]) = ([], [])
                func time(
                    _ write: (YapDatabaseReadWriteTransaction) throws -> Void, byHand: () throws -> Void
                ) throws {
                    times.ours.append(
                        try passed {
                            try connection.readWrite(write)
                            keep(try coordinator.advance())
                        })
                    times.raw.append(
                        try passed {
                            try tables.inTransaction(byHand)
                            keep(try tables.first50(ofTeam: "team 3"))
                        })
                }
                for number in 0..<(isRename ? 20 : 1_000) {
                    if isRename {
                        // A person of the team that is shown, to its beginning or its end.
                        let id = 3 + 10 * random.below(10)
                        let before = names[id]
                        names[id] = number % 2 == 0 ? "a \(number)" : "z \(number)"
                        let renamed = person(id, named: names[id])
                        try time(
                            { try $0[assignees].save(renamed) }, byHand: { try tables.save(renamed, before: before) })
                    } else {
                        let id = random.below(taskCount)
                        let before = stored[id]
                        stored[id].priority = random.below(1_000)
                        let task = stored[id]
                        try time({ try $0[tasks].save(task) }, byHand: { try tables.save(task, before: before) })
                    }
                }
                return Measurement(times.ours, times.raw, scale: isRename ? 1e3 : 1e6)
            }
        }
    }
}

/// A new task with five tags, to the change-set of the first 50 rows of one of 50 tags.
private let eachGroupCase = Case(
    name: "each_group_insert", n: taskCount, k: 5, unit: "µs", targets: [.ratio(atMost: 1.8)]
) {
    try withScratchFolder { folder in
        var random = SplitMix64(seed: 4)
        let stored = (0..<taskCount).map { Chore($0, &random) }
        let tables = try Tables(folder.appending(path: "raw.sqlite"))
        try tables.inTransaction { for task in stored { try tables.saveWithTags(task) } }
        return try withDatabase(folder.appending(path: "ours.sqlite"), postsNotifications: false) { database in
            let connection = try database.newConnection()
            try connection.readWrite { try $0[tasks].save(stored) }
            try database.register(tagged)
            let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
            try coordinator.follow(tagged.mappings(.first(50, groups: ["tag 7"])))
            var times: (ours: [Double], raw: [Double]) = ([], [])
            for number in 0..<1_000 {
                let task = Chore(taskCount + number, &random)
                times.ours.append(
                    try passed {
                        try connection.readWrite { try $0[tasks].save(task) }
                        keep(try coordinator.advance())
                    })
                times.raw.append(
                    try passed {
                        try tables.inTransaction { try tables.saveWithTags(task) }
                        keep(try tables.first50(ofTag: "tag 7"))
                    })
            }
            return Measurement(times.ours, times.raw, scale: 1e6)
        }
    }
}

/// The sum of 10,000 of 100,000 rows, which a list of groups keeps.
private let figureCase = Case(name: "figures", n: taskCount, k: 10_000, unit: "µs", targets: [.value(atMost: 10, "µs")])
{
    try withScratchFolder { folder in
        try withDatabase(folder.appending(path: "ours.sqlite"), postsNotifications: false) { database in
            let teams = YapList("teams", of: tasks, groupedBy: \.group, sortedBy: .ascending(\.id), versionTag: "1")
            let work = YapFigure<Chore, Int?>.sum(\.priority)
            let figures = YapList("figures", groupsOf: teams, figures: [work], sortedBy: .ascending(\.name))
            let connection = try database.newConnection()
            var random = SplitMix64(seed: 5)
            try connection.readWrite { transaction in
                for id in 0..<taskCount { try transaction[tasks].save(Chore(id, &random)) }
            }
            try database.register(teams, figures)
            // A connection that has read none of it.
            let times = try (0..<200).map { number in
                let reader = try database.newConnection()
                return try reader.read { transaction in
                    try passed { keep(try transaction[teams].figure(work, in: "\(number % 10)") ?? 0) }
                }
            }
            return Measurement(value: times.median * 1e6)
        }
    }
}

extension Chore {
    /// One of ten.
    fileprivate var group: Int { id % 10 }
}
