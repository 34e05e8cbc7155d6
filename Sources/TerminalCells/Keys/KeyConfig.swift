/// A user's own key bindings, from a file: each line has a key and an action, `#` begins a comment (the key itself is
/// named `hash`).
///
///     ctrl-j   next        # for every screen that has the action
///     q        none        # the key does nothing any more
///     [chat]               # from here on for one screen only
///     ctrl-s   search
///
/// An empty text changes nothing.
public struct KeyConfig: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        /// Counted from 1.
        var line: Int
        /// The screen that it applies to; nil for every screen.
        var screen: String?
        var keys: [KeyStroke]
        /// Nil removes the action of the keys.
        var action: Action?
    }

    /// The file's name in messages.
    public let file: String
    let entries: [Entry]

    /// No file: all keys keep their default actions.
    public static let none = KeyConfig(file: "", entries: [])

    /// Reads the bindings.
    ///
    /// - Parameter screens: The names allowed in brackets.
    /// - Throws: ``KeyConfigError`` with all lines that cannot be parsed.
    public init(_ text: String, file: String, screens: [String]) throws(KeyConfigError) {
        var reader = KeyConfigReader(screens: screens)
        // A line may end in CR LF, which is one character, and an editor may have put a byte order mark at the
        // beginning.
        let lines = text.trimmingPrefix("\u{FEFF}").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() { reader.read(line, number: index + 1) }
        guard reader.problems.isEmpty else { throw KeyConfigError(file: file, problems: reader.problems) }
        self.init(file: file, entries: reader.entries)
    }

    private init(file: String, entries: [Entry]) {
        self.file = file
        self.entries = entries
    }

    /// Returns the key maps of a screen with these bindings, in the given order. A key is bound in each map that has
    /// its action.
    ///
    /// A map for typing (``KeyMap/isForTyping``) ignores keys that write a character.
    ///
    /// - Parameters:
    ///   - maps: the maps to bind in.
    ///   - screen: the name of the screen in the file.
    ///   - earlierNames: actions by the names that they had in earlier releases, which a file may still have.
    /// - Throws: ``KeyConfigError`` with all lines with an action that neither these maps nor screens in general have.
    public func applied(
        to maps: [KeyMap], of screen: String, earlierNames: [Action: Action] = [:]
    ) throws(KeyConfigError) -> [KeyMap] {
        var configured = maps
        var problems: [KeyConfigError.Problem] = []
        for var entry in entries where entry.screen == nil || entry.screen == screen {
            entry.action = entry.action.map { earlierNames[$0] ?? $0 }
            if let action = entry.action, !maps.contains(where: { $0[action] != nil }) {
                if entry.screen == nil, Self.common.contains(action) { continue }
                problems.append(Self.unknown(action, entry, maps, screen))
            }
            for index in configured.indices { configured[index].bind(entry) }
        }
        guard problems.isEmpty else { throw KeyConfigError(file: file, problems: problems) }
        return configured
    }

    /// The actions that a file may bind for all screens even if one of them does not have them.
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
        // An action of one map does not change the binding of the same key in another.
        guard entry.action == nil || index != nil else { return }
        unbind(entry.keys)
        if let index { bindings[index].keys.insert(entry.keys, at: 0) }
    }
}

extension KeyStroke {
    /// Whether the key inserts text in a text field.
    var writesCharacter: Bool {
        if case .character = key { modifiers.isDisjoint(with: [.control, .alt]) } else { false }
    }
}

/// What is wrong with a file of key bindings; nothing of it has been taken over.
public struct KeyConfigError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A line that cannot be used.
    public struct Problem: Hashable, Sendable {
        /// Counted from 1.
        public var line: Int
        /// What is wrong, without a full stop.
        public var text: String
    }

    /// The name of the file, as it was given.
    public var file: String
    /// What is wrong, in the order of the lines.
    public var problems: [Problem]

    /// A sentence for each problem, with the file and the line; of many problems the first ten.
    public var description: String {
        var lines = problems.prefix(10).map { "\(file), line \($0.line): \($0.text)." }
        if problems.count > lines.count { lines.append("There are \(problems.count - lines.count) more.") }
        return lines.joined(separator: "\n")
    }
}
