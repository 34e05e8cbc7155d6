import Foundation
import YapDatabase

/// The examples in the comments of lists of groups.
private struct GroupListExamples {
    struct Message: Codable, Sendable, Identifiable {
        var id: Int
        var room: String
        var text: String
        var date: Date
        var isUnread: Bool
    }
    let database: YapDatabase
    let connection: YapDatabaseConnection
    let messages = YapCollection("messages", of: Message.self)

    func groups() async throws {
        let unread = YapFigure.count(where: \Message.isUnread == true)
        let rooms = YapList("rooms", of: messages, groupedBy: \.room, sortedBy: .ascending(\.date))
        let inbox = YapList("inbox", groupsOf: rooms, figures: [unread], sortedBy: .descending(last: \.date))
        try await database.register(rooms, inbox)
        for room in try await connection.read({ try $0[inbox].values() }) {
            print(room.name, room.count, room[unread], room.last?.text ?? "")
        }
    }

    func figure(orders: YapList<Message, Int, Never>, total: YapFigure<Message, Int>) throws {
        try connection.readWrite { transaction in
            let turnover = try transaction[orders].figure(total, in: "books")
            _ = turnover
        }
    }

    func figures() {
        let unread = YapFigure.count(where: \Message.isUnread == true)
        let newest = YapFigure.maximum(\Message.date)
        _ = (unread, newest)
    }

    func following(rooms: YapList<Message, Int, Never>, unread: YapFigure<Message, Int>) async throws {
        let inbox = YapList("inbox", groupsOf: rooms, figures: [unread], sortedBy: .descending(last: \.date))
        try await database.register(rooms, inbox)
        for try await update in connection.updates(of: inbox, .first(50)) { print(update.rows.map(\.name)) }
    }
}

/// The examples in the comments of joined rows, and of rows in several groups.
private struct RelatedListExamples {
    struct Task: Codable, Sendable, Identifiable {
        var id: Int
        var title: String
        var assignee: String?
    }
    struct Person: Codable, Sendable, Identifiable {
        var id: String
        var name: String
        var team: String
    }
    struct Book: Codable, Sendable, Identifiable {
        var id: String
        var title: String
        var tags: [String]
    }
    let database: YapDatabase
    let connection: YapDatabaseConnection
    let tasks = YapCollection("tasks", of: Task.self)
    let people = YapCollection("people", of: Person.self)
    let books = YapCollection("books", of: Book.self)

    func joins() async throws {
        let assigned = YapJoin("assigned", of: tasks, joining: \.assignee, to: people)
        let board = YapList("board", of: assigned.rows, groupedBy: \.other.team, sortedBy: .ascending(\.other.name))
        try await database.register(assigned, board)
    }

    func lists(assigned: YapJoin<Task, Int, Never, Person>) {
        let board = YapList("board", of: assigned.rows, groupedBy: \.other.team, sortedBy: .ascending(\.row.title))
        _ = board
    }

    func severalGroups() async throws {
        let tagged = YapList("tagged", of: books, groupedByEach: \.tags, sortedBy: .ascending(\.row.title))
        try await database.register(tagged)
        let space = try await connection.read { try $0[tagged].values(in: "space").map(\.row) }
        _ = space
    }

    struct Dated: Codable, Sendable, Identifiable {
        var id: Int
        var due: Date
        var isDone: Bool
    }

    func time(tasks: YapCollection<Dated, Int, Never>) async throws {
        let dated = YapTimed("dated", of: tasks, at: \.due, in: .current)
        let agenda = YapList(
            "agenda", of: dated.rows, groupedBy: \.day, sortedBy: .ascending(\.row.due), where: \.row.isDone == false)
        let overdue = YapList("overdue", of: dated.rows, sortedBy: .ascending(\.row.due), where: \.isPast == true)
        try await database.register(dated, agenda, overdue)
    }
}
