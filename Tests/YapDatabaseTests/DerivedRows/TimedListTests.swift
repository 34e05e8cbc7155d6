import Foundation
import SeededRandom
import TestSupport
import Testing

@testable import YapDatabase

/// Lists that follow from the present time, too: yesterday, today, tomorrow, what is past.
@Suite struct TimedListTests {
    struct Chore: Codable, Hashable, Sendable, Identifiable {
        var id: Int
        var due: Date?
        var isDone: Bool
    }

    static let chores = YapCollection("chores", of: Chore.self)
    static let dated = YapTimed("dated", of: chores, at: \.due, in: zone)
    static let agenda = YapList(
        "agenda", of: dated.rows, groupedBy: \.day, sortedBy: .ascending(\.row.due), .ascending(\.row.id),
        where: \.row.isDone == false)
    static let overdue = YapList("overdue", of: dated.rows, sortedBy: .ascending(\.row.id), where: \.isPast == true)
    static let days = YapList("days", groupsOf: agenda, sortedBy: .ascending(\.name))

    /// Where a day of March has 23 hours.
    static let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    /// A day before that.
    static let start = Date(timeIntervalSinceReferenceDate: 796_400_000)

    /// The day by what a calendar counts, which is not how the library finds it.
    static func day(of date: Date, at now: Date) -> YapDay {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let (parts, today) = (
            calendar.dateComponents([.year, .month, .day], from: date),
            calendar.dateComponents([.year, .month, .day], from: now)
        )
        let name = String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
        // Counted where all days have 24 hours.
        calendar.timeZone = .gmt
        let (first, last) = (calendar.date(from: today) ?? now, calendar.date(from: parts) ?? date)
        switch Int(last.timeIntervalSince(first) / 86_400) {
        case ..<(-1): return .past(name)
        case -1: return .yesterday
        case 0: return .today
        case 1: return .tomorrow
        default: return .coming(name)
        }
    }

    struct Model: Equatable {
        var chores: [Int: Chore] = [:]

        init() {}

        /// With so many chores, due before and after the start.
        init(chores count: Int) {
            for id in 0..<count {
                let due = TimedListTests.start + 20_000 + Double(id - 5) * 40_000
                chores[id] = Chore(id: id, due: due, isDone: false)
            }
        }

        func agenda(at now: Date) -> [String: [Int]] {
            let rows = chores.values.filter { !$0.isDone }.compactMap { chore in chore.due.map { ($0, chore.id) } }
            return Dictionary(grouping: rows.sorted { $0 < $1 }, by: { TimedListTests.day(of: $0.0, at: now).name })
                .mapValues { $0.map { $0.1 } }
        }

        func overdue(at now: Date) -> [Int] {
            chores.values.filter { ($0.due ?? .distantFuture) < now }.map(\.id).sorted()
        }

        mutating func change(_ random: inout SplitMix64, around now: Date) {
            let id = random.below(25)
            let distance = Double(random.below(8 * 86_400) - 4 * 86_400)
            chores[id] =
                random.percent(20)
                ? nil
                : Chore(
                    id: id, due: random.percent(15) ? nil : random.percent(10) ? now : now + distance,
                    isDone: random.percent(20))
        }
    }

    private static func expect(
        _ model: Model, at now: Date, _ connection: YapDatabaseConnection, _ context: Comment
    ) async throws {
        try await connection.read { transaction throws in
            let agenda = try transaction[agenda]
            let groups = try agenda.groups.map { ($0, try agenda.values(in: $0).map(\.row.id)) }
            try #require(Dictionary(uniqueKeysWithValues: groups) == model.agenda(at: now), context)
            let ranks = agenda.groups.map { name in
                ["yesterday": 1, "today": 2, "tomorrow": 3][name] ?? (name.hasPrefix("+") ? 4 : 0)
            }
            try #require(ranks == ranks.sorted(), context)
            try #require(try transaction[overdue].values().map(\.row.id) == model.overdue(at: now), context)
            try #require(try Set(transaction[days].values().map(\.name)) == Set(groups.map(\.0)), context)
        }
    }

    /// Writes, writes of a program that knows only SQLite, and time that passes: at each moment the lists are what the model says, and a loop over
    /// one of them has exact change-sets.
    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func theyFollowTheTime(seed: UInt64) async throws {
        try await Self.run(seed, transactions: Effort.cases(5_000))
    }

    static func run(_ seed: UInt64, transactions: Int) async throws {
        let clock = YapManualClock(Self.start)
        var options = YapDatabaseOptions.forTests
        options.clock = clock
        try await withTemporaryDatabase(options: options) { database async throws in
            var random = SplitMix64(seed: seed)
            var model = Model()
            let connection = try database.newConnection()
            try await database.register(Self.dated, Self.agenda, Self.overdue, Self.days)
            let follower = UpdatesFollower<YapTimedRow<Chore>>()
            let loop = Task { try await follower.follow(connection.updates(of: Self.agenda), "seed \(seed)") }
            defer { loop.cancel() }
            await follower.waitForFirst()
            let stranger = try foreignProgram(database.databaseURL)
            for step in 0..<transactions {
                let context: Comment = "seed \(seed), step \(step), \(clock.now.timeIntervalSinceReferenceDate)"
                if random.percent(50) {
                    let before = model
                    for _ in 0...random.below(3) { model.change(&random, around: clock.now) }
                    let changed = (0..<25).filter { before.chores[$0] != model.chores[$0] }
                    if random.percent(10) {
                        try stranger.setRows(changed.map { ($0, model.chores[$0]) }, inCollection: "chores")
                    } else {
                        try await connection.write { [model] transaction throws in
                            for id in changed {
                                if let chore = model.chores[id] {
                                    try transaction[Self.chores].save(chore)
                                } else {
                                    try transaction[Self.chores].remove(id)
                                }
                            }
                        }
                    }
                } else {
                    clock.advance(
                        by: Double([1, 60, 3_600, 20_000, 86_400, 300_000][random.below(6)])
                            * Double(random.below(1_000)) / 1_000)
                }
                try await database.waitUntilIdle()
                try await Self.expect(model, at: clock.now, connection, context)
                try #require(
                    await follower.groups.mapValues { $0.map(\.row.id) } == model.agenda(at: clock.now), "\(context)")
            }
        }
    }

    /// A moment costs one commit, and none when nothing changes by it; a clock that was set back is noticed by the next start; a start after a week
    /// is right at once.
    @Test func momentsAndStarts() async throws {
        try await withTemporaryFolder { folder async throws in
            let url = folder.appending(path: "test.sqlite")
            let clock = YapManualClock(Self.start)
            var options = YapDatabaseOptions.forTests
            options.clock = clock
            let model = Model(chores: 20)
            for (round, shift) in [0, 7 * 86_400, -9 * 86_400, 500_000].enumerated() {
                clock.set(to: clock.now + Double(shift))
                let database = try YapDatabase(url: url, options: options)
                let connection = try database.newConnection()
                if round == 0 {
                    try await connection.write { [model] in try $0[Self.chores].save(Array(model.chores.values)) }
                }
                try await database.register(Self.dated, Self.agenda, Self.overdue, Self.days)
                try await database.waitUntilIdle()
                try await Self.expect(model, at: clock.now, connection, "round \(round)")
                let first = try await connection.read { $0.snapshot.number }
                clock.advance(by: 1)
                try await database.waitUntilIdle()
                #expect(try await connection.read { $0.snapshot.number } == first)
                clock.advance(by: 86_400)
                try await database.waitUntilIdle()
                #expect(try await connection.read { $0.snapshot.number } <= first + 1)
                try await Self.expect(model, at: clock.now, connection, "a day later, round \(round)")
                try database.close()
                #expect(try YapDatabase.check(url: url).isEmpty)
            }
        }
    }

    /// Another time zone has other days: the rows are derived again when the program registers with it.
    @Test func anotherTimeZone() async throws {
        try await withTemporaryFolder { folder async throws in
            let url = folder.appending(path: "test.sqlite")
            var options = YapDatabaseOptions.forTests
            options.clock = YapManualClock(Self.start)
            var names: [String] = []
            // Four o'clock in the morning, and seven in the evening.
            for zone in ["Pacific/Kiritimati", "Asia/Karachi", "Pacific/Kiritimati"] {
                let database = try YapDatabase(url: url, options: options)
                let connection = try database.newConnection()
                try await connection.write {
                    try $0[Self.chores].save(Chore(id: 1, due: Self.start + 43_200, isDone: false))
                }
                let zone = try #require(TimeZone(identifier: zone))
                let dated = YapTimed("dated", of: Self.chores, at: \.due, in: zone)
                let agenda = YapList("agenda", of: dated.rows, groupedBy: \.day, sortedBy: .ascending(\.row.due))
                try await database.register(dated, agenda)
                names += try await connection.read { try $0[agenda].groups }
                try database.close()
                #expect(try YapDatabase.check(url: url).isEmpty)
            }
            #expect(names == ["today", "tomorrow", "today"])
        }
    }

    /// An entry whose moment no derivation gives costs its own row at most: the others change their days, and those of a list of groups over them.
    @Test(arguments: [
        "v0 = -1", "v0 = 0", "v0 = -9223372036854775808", "v0 = 9223372036854775807", "v0 = -1e300", "v0 = -9e999",
        "v0 = 'x'", "v0 = x'00'", "v1 = 'x'", "v1 = x'00'", "v1 = 9223372036854775807", "v1 = 9e999",
    ]) func anEntryWithoutAMoment(change: String) async throws {
        try await withTemporaryFolder { folder async throws in
            let url = folder.appending(path: "test.sqlite")
            let clock = YapManualClock(Self.start)
            var options = YapDatabaseOptions.forTests
            options.clock = clock
            var model = Model(chores: 10)
            // One without a moment of its own, whose entry has NULL.
            model.chores[10] = Chore(id: 10, due: Self.start - 900_000, isDone: false)
            for isDamaged in [false, true] {
                if isDamaged {
                    // The row whose entry is damaged is the last one.
                    let sql = #"WHERE rowid = (SELECT max(rowid) FROM "derived_dated.rows" WHERE v0 IS NOT NULL)"#
                    try foreignProgram(url).execute(#"UPDATE "derived_dated.rows" SET \#(change) \#(sql)"#)
                    #expect(try YapDatabase.check(url: url).isEmpty)
                }
                let database = try YapDatabase(url: url, options: options)
                let connection = try database.newConnection()
                if !isDamaged {
                    try await connection.write { [model] in
                        try $0[Self.chores].save(model.chores.values.sorted { $0.id < $1.id })
                    }
                }
                try await database.register(Self.dated, Self.agenda, Self.overdue, Self.days)
                try await database.waitUntilIdle()
                if isDamaged {
                    clock.advance(by: 26 * 3_600)
                    try await database.waitUntilIdle()
                    // A moment that never comes leaves its row as it is until it is written.
                    if change == "v0 = 9223372036854775807", var last = model.chores[9] {
                        last.due = last.due.map { $0 + 60 }
                        model.chores[9] = last
                        try await connection.write { [last] in try $0[Self.chores].save(last) }
                    }
                    try await Self.expect(model, at: clock.now, connection, "\(change)")
                    let kinds = try await connection.read { transaction throws in
                        try transaction.store.all(
                            #"SELECT DISTINCT typeof(v0), typeof(v1) FROM "derived_dated.rows""#
                        ) { [$0.text(at: 0), $0.text(at: 1)] }
                    }
                    #expect(Set(kinds.flatMap(\.self)).isSubset(of: ["real", "null"]), "\(kinds)")
                }
                try database.close()
                #expect(try YapDatabase.check(url: url).isEmpty)
            }
        }
    }
}
