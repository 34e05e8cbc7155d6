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
