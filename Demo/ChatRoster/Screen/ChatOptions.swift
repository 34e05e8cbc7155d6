import Foundation
import LiveTable

/// Options of the chat.
public struct ChatOptions: Sendable {
    /// Who acts beside the real people.
    public enum Traffic: Hashable, Sendable {
        /// Only real people.
        case none
        /// The simulated people of the demo.
        case demo
        /// The people of a script, as its text.
        case script(String)
    }

    /// The file.
    public var url: URL
    /// Who takes part; nil for the name that this user last had in the file.
    public var name: String?
    /// The person or the `#room` to open; nil for the conversation that was open last.
    public var other: String?
    /// Who acts beside the real people.
    public var traffic = Traffic.none
    /// With the same seed the people of the demo do the same things.
    public var seed: UInt64
    /// How many times as quick as usual a script is.
    public var speed = 1.0
    /// The amount of animation.
    public var motion: MotionLevel
    /// The characters to choose from.
    public var unicode: UnicodeLevel
    /// The user's own keys.
    public var keys: KeyConfig

    /// The group of the machine's users for which a new file is made; nil for none.
    public var group: String?
    /// How another person comes into this chat, without the name.
    public var invitation: String

    /// The space that the file follows, with its server; nil for what the file says.
    public var space: String?

    /// Who else can read what two people say to each other; nil for what the rights of the file say.
    public var privacy: String?

    /// Opens the file; another one may have it follow a server.
    public var open: Opener = { try YapDatabase(url: $0, options: $1) }
    /// How the file stands to its server, asked twice a second; nil if it has none.
    public var serverDelay: ServerDelay.Source?

    /// Whether an error says that the server refuses what was written, and another try has the same end.
    public var isRefusal: @Sendable (any Error) -> Bool = { _ in false }
    /// The server's time; nil if it is not known, or there is no server.
    public var serverTime: @Sendable (YapDatabase) -> Date? = { _ in nil }

    /// Opens the file of a chat.
    public typealias Opener = @Sendable (URL, YapDatabaseOptions) throws -> YapDatabase

    /// The collections that stay on this host when the chat follows a server: drafts, settings, and who uses this machine.
    public static let localCollections: Set<String> = [Chat.drafts.name, Chat.settings.name, Chat.users.name]

    /// Creates options without people besides the real ones.
    public init(url: URL, seed: UInt64, motion: MotionLevel, unicode: UnicodeLevel, keys: KeyConfig = .none) {
        self.url = url
        invitation = Self.invitation(to: url)
        self.seed = seed
        self.motion = motion
        self.unicode = unicode
        self.keys = keys
    }

    /// How another person comes into the chat of a file, without the name.
    public static func invitation(to url: URL) -> String {
        url == defaultURL ? "yap chat" : "yap chat --db \(url.path.shellWord)"
    }

    /// How another person comes into the chat of a space: from another host, which has a file of its own, and in another role.
    /// - Parameters:
    ///   - address: the server's, as this person gave it.
    ///   - space: the space.
    public static func invitation(toServer address: String, space: String) -> String {
        let others = address.replacing(/:\/\/[^\/@?]*@/, with: "://NAME@")
            .replacing(/\buser=('[^']*'|[^\s&]+)/, with: "user=NAME")
        return "yap chat --server \(others.shellQuoted)" + (space == "chat" ? "" : " --space \(space.shellWord)")
    }

    /// `chat.sqlite` in the user's data folder: `$XDG_DATA_HOME/yap`, or else `~/.local/share/yap`.
    public static var defaultURL: URL { dataFolder.appending(path: "chat.sqlite") }

    /// `demo.sqlite` beside it, for simulated people: a chat that is begun later has none of their messages.
    public static var demoURL: URL { dataFolder.appending(path: "demo.sqlite") }

    /// Throws if a line of the script is wrong: before a file is made for it.
    func checkScript() throws {
        if case .script(let text) = traffic { _ = try ScriptFile(text, speed: speed, now: 0) }
    }

    /// - Parameter people: those in the file; for real ones nothing is played by the demo.
    func makeScript(with me: String, _ people: [Person], now: Double) throws -> (any Script)? {
        let real = Set(people.filter { $0.joined != nil && !$0.isSimulated }.map(\.name))
        return switch traffic {
        case .none: nil
        case .demo: DemoScript(seed: seed, speed: speed, with: me, real: real, now: now)
        case .script(let text): try ScriptFile(text, speed: speed, now: now)
        }
    }
}
