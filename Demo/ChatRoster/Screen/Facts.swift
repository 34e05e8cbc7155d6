import Foundation
import LiveTable

/// What cells need besides their rows, for drawing. It changes between commits; then the rows on the screen are drawn
/// again.
final class Facts {
    let me: String
    /// The reader's clock.
    let clock: () -> Date
    /// Who else can read what two people say to each other.
    var privacy = ""
    /// The space that the file follows, with its server.
    var space: String?
    /// Who may open the file; nil if it follows a server.
    var reach: Reach?
    /// The command with which another person comes in. Where only this user's account can, the person has no account to be named after.
    var invitation = ""
    /// The message below the line "new": the first that was unread when the conversation was opened.
    var firstUnread: String?
    /// Whether others' presence is as the file has it; not while its server is away.
    var isPresenceKnown = true
    /// The numbers of conversations, by which keys open them.
    var numbers: [String: Int] = [:]
    /// Up to where all others have read; nil without others.
    var readByAll: Position?
    /// Which mutations were pending when they were looked at last.
    var outbox: OutboxState?
    /// The messages with changes that the server does not have yet, as the screen has counted them last.
    var pending: Set<String> = []
    /// The same, as the rows are drawn.
    var marks = PendingMarks()
    /// How many of these the server got since it was away.
    var arrived = 0
    /// The rejected mutations that were shown to the person.
    var rejected: Set<UUID> = []
    /// Who can be mentioned.
    var members: [String] = []
    /// The long messages that are shown whole.
    var unfolded: Set<String> = []
    /// The beginnings of the messages that those on the screen answer; nil for one that was deleted.
    var quotes: [String: String?] = [:]
    /// The words of the search.
    var searched: [String] = []
    /// By the number of colours of the theme, which changes if the terminal says what its background is.
    private var colors: [Int: PersonColors] = [:]

    /// The same for persons with accounts of their own; nil while they cannot come in.
    var invitationOfOthers: String? { reach == .user ? nil : invitation }

    init(me: String, clock: @escaping () -> Date = { WallClock.now }) { (self.me, self.clock) = (me, clock) }

    func style(of name: String, _ theme: Theme) -> Style {
        let count = theme.personColorCount
        // The order, and so each colour, is the same in each run.
        let number = colors[count, default: PersonColors([me], count: count)].number(of: name)
        return Style(theme.color(ofPerson: number), on: .terminal, .bold)
    }
}

/// The messages with changes that the server does not have yet, read in the commit whose rows are drawn. A row that was drawn with what an earlier
/// commit says of it would show a message as stored at the server that has not even been sent.
struct PendingMarks {
    private var outbox: OutboxState?
    private(set) var messages: Set<String> = []

    func contains(_ message: String) -> Bool { messages.contains(message) }

    /// Reads them if other mutations are pending than before.
    mutating func update(_ transaction: YapDatabaseReadTransaction) throws {
        let outbox = try transaction.outbox()
        guard outbox != self.outbox else { return }
        messages = outbox == nil ? [] : try transaction.pendingMessages()
        self.outbox = outbox
    }
}
