import Foundation
import SeededRandom
import YapDatabase

/// Lists of groups, beside a summary table that the program keeps.
let inboxCases: [Case] =
    [inboxCommitCase(1_000), inboxCommitCase(100_000), inboxPopulateCase, inboxRemoveCase] + inboxOpenCases

private struct Message: YapPlainCodable, Sendable, Identifiable {
    var id: Int
    var room: String
    var text: String
    var date: Double
    var isUnread: Bool

    init(_ id: Int, room: Int) {
        (self.id, self.room, text) = (id, "room \(room)", "The text of message \(id), which is of the usual length.")
        (date, isUnread) = (Double(id), id % 3 == 0)
    }
}

private let messages = YapCollection("messages", of: Message.self)
private let rooms = YapList("rooms", of: messages, groupedBy: \.room, sortedBy: .ascending(\.date))
private let unread = YapFigure.count(where: \Message.isUnread == true)
private let inbox = YapList("inbox", groupsOf: rooms, figures: [unread], sortedBy: .descending(last: \.date))

/// Ten messages a room.
private func room(of id: Int, among count: Int) -> Int { id &* 7_919 % max(1, count / 10) }

/// The same by hand: rows, an index of each room's messages, and a summary of each room with an index on its last date.
private final class SummaryTables {
    private let handle: RawHandle
    private let insert, index, summarize, newest: RawStatement
    private let encoder = JSONEncoder()

    init(_ url: URL) throws {
        handle = try RawHandle(
            url,
            setup: [
                #"CREATE TABLE "order" ("room" TEXT NOT NULL, "date" REAL NOT NULL, "row" INTEGER NOT NULL, PRIMARY KEY ("room", "date", "row")) WITHOUT ROWID"#,
                #"CREATE TABLE "inbox" ("room" TEXT PRIMARY KEY, "count" INTEGER, "unread" INTEGER, "date" REAL, "last" BLOB)"#,
                #"CREATE INDEX "byDate" ON "inbox" ("date")"#,
            ])
        insert = try handle.prepare(#"INSERT INTO "database2" ("collection", "key", "data") VALUES ('messages', ?, ?)"#)
        index = try handle.prepare(#"INSERT INTO "order" VALUES (?, ?, ?)"#)
        summarize = try handle.prepare(
            """
            INSERT INTO "inbox" VALUES (?1, 1, ?2, ?3, ?4) ON CONFLICT ("room") DO UPDATE SET "count" = "count" + 1, \
            "unread" = "unread" + ?2, "date" = ?3, "last" = ?4
            """)
        newest = try handle.prepare(
            #"SELECT "room", "count", "unread", "last" FROM "inbox" ORDER BY "date" DESC LIMIT 50"#)
    }

    func inTransaction(_ body: () throws -> Void) throws { try handle.inTransaction(body) }

    func add(_ message: Message) throws {
        let bytes = try encoder.encode(message)
        try insert.run(String(message.id), bytes)
        try index.run(message.room, message.date, handle.lastInsertRowid)
        try summarize.run(message.room, Int64(message.isUnread ? 1 : 0), message.date, bytes)
    }

    /// Removes all messages.
    func removeAll() throws {
        try handle.inTransaction {
            for sql in [
                #"DELETE FROM "database2" WHERE "collection" = 'messages'"#, #"DELETE FROM "order""#,
                #"DELETE FROM "inbox""#,
            ] { try handle.prepare(sql).run() }
        }
    }

    /// The first 50 rooms, as a screen shows them.
    func shown() throws -> Int64 {
        var sum: Int64 = 0
        try newest.forEach { sum += $0.int64(1) + Int64($0.text(0).utf8.count) + Int64($0.data(3).count) }
        return sum
    }
}

/// A message in one of the rooms, to the change-set of the inbox, of which 50 rows are shown; by hand to the 50 rows.
private func inboxCommitCase(_ count: Int) -> Case {
    Case(name: "inbox_commit/\(count)", n: count, k: 1, unit: "µs", targets: [.ratio(atMost: 1.8)]) {
        try withScratchFolder { folder in
            let tables = try SummaryTables(folder.appending(path: "raw.sqlite"))
            try tables.inTransaction {
                for id in 0..<count { try tables.add(Message(id, room: room(of: id, among: count))) }
            }
            return try withDatabase(folder.appending(path: "ours.sqlite"), postsNotifications: false) { database in
                let connection = try database.newConnection()
                try connection.readWrite { transaction in
                    for id in 0..<count {
                        try transaction[messages].save(Message(id, room: room(of: id, among: count)))
                    }
                }
                try database.register(rooms, inbox)
                let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
                try coordinator.follow(inbox.mappings(.first(50)))
                var random = SplitMix64(seed: 5)
                var times: (ours: [Double], raw: [Double]) = ([], [])
                for number in 0..<2_000 {
                    let message = Message(count + number, room: random.below(max(1, count / 10)))
                    times.ours.append(
                        try passed {
                            try connection.readWrite { try $0[messages].save(message) }
                            keep(try coordinator.advance())
                        })
                    times.raw.append(
                        try passed {
                            try tables.inTransaction { try tables.add(message) }
                            keep(try tables.shown())
                        })
                }
                return Measurement(times.ours, times.raw, scale: 1e6)
            }
        }
    }
}

/// The first registration of an inbox over 100,000 messages whose list of rooms is there, against reading and decoding all of them, a summary of
/// each room and one sort.
private let inboxPopulateCase = Case(
    name: "inbox_populate", n: 100_000, k: 100_000, unit: "µs/row", targets: [.ratio(atMost: 1.5)]
) {
    let count = 100_000
    return try withScratchFolder { folder in
        try withDatabase(folder.appending(path: "ours.sqlite"), postsNotifications: false) { database in
            let connection = try database.newConnection()
            try connection.readWrite { transaction in
                for id in 0..<count { try transaction[messages].save(Message(id, room: room(of: id, among: count))) }
            }
            try database.register(rooms)
            var times: (ours: [Double], raw: [Double]) = ([], [])
            for _ in 0..<5 {
                times.ours.append(try passed { try database.register(inbox) })
                try database.unregisterExtension(withName: inbox.name)
                times.raw.append(try passed { keep(try summaries(connection)) })
            }
            return Measurement(times.ours, times.raw, scale: 1e6 / Double(count))
        }
    }
}

/// All of 100,000 messages are removed, with their rooms and the inbox, against removing the rows and emptying both tables by hand.
private let inboxRemoveCase = Case(
    name: "inbox_remove", n: 100_000, k: 100_000, unit: "µs/row", targets: [.value(atMost: 15, "µs/row")]
) {
    let count = 100_000
    var times: (ours: [Double], raw: [Double]) = ([], [])
    for _ in 0..<3 {
        try withScratchFolder { folder in
            let tables = try SummaryTables(folder.appending(path: "raw.sqlite"))
            try tables.inTransaction {
                for id in 0..<count { try tables.add(Message(id, room: room(of: id, among: count))) }
            }
            try withDatabase(folder.appending(path: "ours.sqlite"), postsNotifications: false) { database in
                let connection = try database.newConnection()
                try database.register(rooms, inbox)
                try connection.readWrite { transaction in
                    for id in 0..<count {
                        try transaction[messages].save(Message(id, room: room(of: id, among: count)))
                    }
                }
                times.ours.append(try passed { try connection.readWrite { try $0[messages].removeAll() } })
                times.raw.append(try passed { try tables.removeAll() })
            }
        }
    }
    return Measurement(times.ours, times.raw, scale: 1e6 / Double(count))
}

private func summaries(_ connection: YapDatabaseConnection) throws -> [(
    room: String, count: Int, unread: Int, last: Message
)] {
    var summaries: [String: (count: Int, unread: Int, last: Message)] = [:]
    try connection.read { transaction in
        for message in try transaction[messages].values() {
            let known = summaries[message.room]
            let last = known.map { $0.last.date > message.date ? $0.last : message } ?? message
            summaries[message.room] = (
                (known?.count ?? 0) + 1, (known?.unread ?? 0) + (message.isUnread ? 1 : 0), last
            )
        }
    }
    return summaries.map { ($0.key, $0.value.count, $0.value.unread, $0.value.last) }.sorted { $0.3.date > $1.3.date }
}

// MARK: A large inbox

/// A fresh process opens an inbox over 1,000,000 messages in 100,000 rooms and reads its first 50 rows: the time until then, and the memory that it
/// takes, without that of a process that has opened nothing. Making the file takes long, so these run only when they are named.
private let inboxOpenCases: [Case] = [
    Case(
        name: "inbox_open", n: 1_000_000, k: 50, unit: "ms", targets: [.value(atMost: 10, "ms")], isExtra: true
    ) { Measurement(value: try openings.get().map(\.milliseconds).median) },
    Case(
        name: "inbox_memory", n: 1_000_000, k: 50, unit: "MB", targets: [.value(atMost: 20, "MB")], isExtra: true
    ) { Measurement(value: try openings.get().map(\.megabytes).median) },
]

/// Both cases are of these.
@MainActor private let openings = Result { try openInbox() }

@MainActor private func openInbox() throws -> [(milliseconds: Double, megabytes: Double)] {
    let count = 1_000_000
    return try withScratchFolder { folder in
        let url = folder.appending(path: "inbox.sqlite")
        try withDatabase(url, postsNotifications: false) { database in
            let connection = try database.newConnection()
            for start in stride(from: 0, to: count, by: 100_000) {
                try connection.readWrite { transaction in
                    for id in start..<start + 100_000 {
                        try transaction[messages].save(Message(id, room: room(of: id, among: count)))
                    }
                }
            }
            try database.register(rooms, inbox)
        }
        return try (0..<9).map { _ in
            let figures = try outputOfOwnProcess("--open-inbox", url.path).split(whereSeparator: \.isWhitespace)
                .compactMap { Double($0) }
            guard figures.count == 2 else { throw RawError("The process that is measured has failed.") }
            return (figures[0], figures[1])
        }
    }
}

/// The process that is measured: prints milliseconds and MB.
@MainActor func openInbox(_ url: URL) throws {
    let before = try peakMegabytes()
    var shown = 0
    var open: YapDatabase?
    let seconds = try passed {
        let database = try YapDatabase(url: url)
        open = database
        try database.register(rooms, inbox)
        shown = try database.newConnection().read { try $0[inbox].values(0..<50).count }
    }
    guard shown == 50, let open else { throw RawError("The inbox has only \(shown) rows.") }
    // What closing takes is not opening.
    defer { keep(open) }
    print(seconds * 1e3, try peakMegabytes() - before)
}
