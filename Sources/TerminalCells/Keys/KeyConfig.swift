/// A person's own key bindings, as a file holds them: on each line a key and an action, `#` begins a comment (and
/// the key itself is called `hash`).
///
///     ctrl-j   next        # for every screen that has the action
///     q        none        # nothing any more
///     [chat]               # from here on for one screen only
///     ctrl-s   search
///
/// An empty text changes nothing.
public struct KeyConfig: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        /// Counted from 1.
        var line: Int
        /// The one that it is for; nil for every screen.
        var screen: String?
        var keys: [KeyStroke]
        /// nil takes the keys' action away.
        var action: Action?
    }

    /// What the user calls the file, for messages.
    public let file: String
    let entries: [Entry]

    /// No file: every key does what the program says.
    public static let none = KeyConfig(file: "", entries: [])

    /// - Parameter screens: What a line in brackets may name.
    /// - Throws: All lines that cannot be understood.
    public init(_ text: String, file: String, screens: [String]) throws(KeyConfigError) {
        var reader = KeyConfigReader(screens: screens)
        // A line may end in CR LF, which is one character, and an editor may have put a byte order mark at the beginning.
        let lines = text.trimmingPrefix("\u{FEFF}").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() { reader.read(line, number: index + 1) }
        guard reader.problems.isEmpty else { throw KeyConfigError(file: file, problems: reader.problems) }
        self.init(file: file, entries: reader.entries)
    }

    private init(file: String, entries: [Entry]) {
        self.file = file
        self.entries = entries
    }

    /// One screen's key maps with these bindings, in the order given: a key is bound in each map that has its action.
    ///
    /// A map for typing (``KeyMap/isForTyping``) keeps its own for keys that write a character.
    ///
    /// - Throws: All lines that name an action that neither the maps nor screens in general have.
    public func applied(to maps: [KeyMap], of screen: String) throws(KeyConfigError) -> [KeyMap] {
        var configured = maps
        var problems: [KeyConfigError.Problem] = []
        for entry in entries where entry.screen == nil || entry.screen == screen {
            if let action = entry.action, !maps.contains(where: { $0[action] != nil }) {
                if entry.screen == nil, Self.common.contains(action) { continue }
                problems.append(Self.unknown(action, entry, maps, screen))
            }
            for index in configured.indices { configured[index].bind(entry) }
        }
        guard problems.isEmpty else { throw KeyConfigError(file: file, problems: problems) }
        return configured
    }

    /// Actions that a file may bind for all screens though one of them does not have them.
    private static let common = Set((KeyMap.table.bindings + KeyMap.general.bindings).map(\.action))

    private static func unknown(
        _ action: Action, _ entry: Entry, _ maps: [KeyMap], _ screen: String
    ) -> KeyConfigError.Problem {
        var known: [String] = []
        for name in maps.flatMap(\.bindings).map(\.action.rawValue) where !known.contains(name) { known.append(name) }
        let advice = entry.screen == nil ? "; what only one screen has stands below its name, as in [\(screen)]" : ""
        return KeyConfigError.Problem(
            line: entry.line,
            text: "\(screen) has no action \"\(action)\"\(advice). It has none, \(known.joined(separator: ", "))")
    }
}

extension KeyMap {
    fileprivate mutating func bind(_ entry: KeyConfig.Entry) {
        if isForTyping, entry.keys[0].writesCharacter { return }
        let index = entry.action.flatMap { action in bindings.firstIndex { $0.action == action } }
        // What one map of a screen does with a key is not touched by an action of another.
        guard entry.action == nil || index != nil else { return }
        unbind(entry.keys)
        if let index { bindings[index].keys.insert(entry.keys, at: 0) }
    }
}

extension KeyStroke {
    /// It is text where text is typed.
    var writesCharacter: Bool {
        if case .character = key { modifiers.isDisjoint(with: [.control, .alt]) } else { false }
    }
}

/// What is wrong with a file of key bindings; nothing of it has been taken over.
public struct KeyConfigError: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Problem: Hashable, Sendable {
        /// Counted from 1.
        public var line: Int
        public var text: String
    }

    public var file: String
    public var problems: [Problem]

    /// A sentence for each problem, with the file and the line.
    public var description: String {
        problems.map { "\(file), line \($0.line): \($0.text)." }.joined(separator: "\n")
    }
}
