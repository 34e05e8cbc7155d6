import Foundation
import LiveTable

/// A conversation on a person's roster, as the screen shows it.
struct RosterRow: Hashable, Sendable {
    let seat: Seat
    /// The other one of two people, if there is a row of that person.
    var other: Person?
    /// The place of the last message; nil for a conversation without.
    var newest: Date?
    /// A room's.
    var topic = ""
    /// Messages of others that were never on the person's screen.
    var unread = 0
    /// Those of them that name the person.
    var mentions = 0

    var key: String { seat.key }
    var conversation: String { seat.conversation }
    var title: String { Conversation(id: conversation)?.title(for: seat.person) ?? conversation }
    var standing: Standing { seat.other == nil ? .rooms : other?.standing ?? .offline }
    /// What the other one is doing while away, or a room's topic.
    var status: String { other?.status ?? topic }
    /// When the other one was last online; nil for a room.
    var lastSeen: Date? { other?.lastSeen }
    /// Nothing but the order of the roster.
    var last: Date { seat.last(newest: newest) }
}

/// A seat with the other one of two people and with its conversation: what the list of rosters has.
typealias RosterEntry = YapJoinedRow<YapJoinedRow<Seat, Person?>, YapGroupRow<Message>?>

extension YapJoinedRow where Row == YapJoinedRow<Seat, Person?>, Other == YapGroupRow<Message>? {
    /// Without what is counted or read when it is drawn.
    var place: RosterRow { RosterRow(seat: row.row, other: row.other, newest: other?[Chat.newest]) }
}
