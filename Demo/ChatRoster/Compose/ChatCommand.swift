import NearestName

/// What a line that begins with `/` asks for.
enum ChatCommand: Hashable, Sendable {
    case me(String)
    case join(String)
    case leave
    case invite(String)
    case kick(String)
    /// Lists the rooms.
    case list
    case topic(String)
    /// Without a text: back.
    case away(String?)
    case search(String)
    case to(String)
    /// Says something in another conversation.
    case say(String, to: String)
    case date(String)
    case mute
    case quiet
    case set(Switch, Bool)
    case help
    case quit

    /// One of the ways to be told of a message.
    enum Switch: String, CaseIterable, Sendable {
        case bell
        case title
        case notify
    }

    /// Their names and forms, for the help and for completion.
    static let all: [(name: String, argument: String, help: String)] = [
        ("me", "TEXT", "say what you do"),
        ("join", "#ROOM", "enter a room, or create it"),
        ("leave", "", "leave the room"),
        ("invite", "NAME", "bring a person into the room"),
        ("kick", "NAME", "take a person out of the room"),
        ("list", "", "choose one of all rooms"),
        ("topic", "TEXT", "set the room's topic"),
        ("away", "TEXT", "say that you are away; without a text, that you are back"),
        ("search", "WORDS", "search all conversations"),
        ("to", "NAME", "open a conversation"),
        ("msg", "NAME TEXT", "say something there, and open it"),
        ("date", "2026-11-23", "go to the first message of a day"),
        ("mute", "", "be told nothing of this conversation, or again"),
        ("quiet", "", "be told nothing at all, or again"),
        ("bell", "on|off", "the bell for mentions and private messages"),
        ("title", "on|off", "unread messages in the terminal's title"),
        ("notify", "on|off", "notifications, where the terminal has them"),
        ("help", "", "all keys and commands"),
        ("quit", "", "end"),
    ]

    /// The command of a line; nil for a line that is a message. Two slashes send a text that begins with one.
    /// - Throws: ``BadCommand``.
    init?(_ line: String) throws(BadCommand) {
        guard line.hasPrefix("/"), !line.hasPrefix("//") else { return nil }
        let parts = line.dropFirst().split(separator: " ", maxSplits: 1).map(String.init)
        let rest = parts.count > 1 ? parts[1].trimmed : ""
        func argument() throws(BadCommand) -> String {
            if rest.isEmpty { throw BadCommand(name: parts[0], needsMore: true) }
            return rest
        }
        switch parts.first ?? "" {
        case "me": self = .me(try argument())
        case "join": self = .join(try argument())
        case "leave": self = .leave
        case "invite": self = .invite(try argument())
        case "kick": self = .kick(try argument())
        case "list": self = .list
        case "topic": self = .topic(rest)
        case "away": self = .away(rest.isEmpty ? nil : rest)
        case "search": self = .search(rest)
        case "to": self = .to(try argument())
        case "msg":
            let words = try argument().split(separator: " ", maxSplits: 1).map(String.init)
            self = words.count == 2 ? .say(words[1].trimmed, to: words[0]) : .to(words[0])
        case "date": self = .date(try argument())
        case "mute": self = .mute
        case "quiet": self = .quiet
        case "help": self = .help
        case "quit": self = .quit
        case let name:
            guard let which = Switch(rawValue: name) else { throw BadCommand(name: name, needsMore: false) }
            guard ["on", "off"].contains(rest) else { throw BadCommand(name: name, needsMore: true) }
            self = .set(which, rest == "on")
        }
    }
}

/// A line that begins with `/` and is no command.
struct BadCommand: Error, CustomStringConvertible {
    let name: String
    let needsMore: Bool

    var description: String {
        let form = ChatCommand.all.first { $0.name == name }?.argument ?? ""
        if needsMore { return "/\(name) needs more: /\(name) \(form)" }
        let hint = advice ?? "/help lists them; // at the beginning sends a text with one slash."
        return "There is no command /\(name). \(hint)"
    }

    /// What to do instead: another chat's name for a command, a slip of the fingers, or what is no command here.
    private var advice: String? {
        if let way = Self.otherWays[name] { return way }
        if let other = Self.otherNames[name] { return didYouMean("/" + other) }
        return didYouMean(insteadOf: name, in: ChatCommand.all.map(\.name)) { "/" + $0 }
    }

    /// The names that the commands have in other chats.
    private static let otherNames = [
        "part": "leave", "close": "leave", "exit": "quit", "bye": "quit", "query": "to", "tell": "msg",
        "whisper": "msg",
        "channels": "list", "rooms": "list", "back": "away", "find": "search", "grep": "search",
    ]
    private static let otherWays = [
        "nick": "A name is chosen at the start: yap chat --as NAME.",
        "whois": presence, "who": presence, "names": presence,
    ]
    private static let presence = "The roster shows who is here; a wide screen also shows who the other one is."
}

extension StringProtocol {
    /// Without blanks at both ends.
    var trimmed: String {
        String(String(drop(while: \.isWhitespace).reversed()).drop(while: \.isWhitespace).reversed())
    }
}
