/// A line of text being typed, with its cursor, as a value.
///
/// Characters are grapheme clusters: the cursor is never inside one.
public struct TextField: Hashable, Sendable {
    /// The most characters of a line: more than anyone types; a pasted file must not stall the screen.
    public static let mostCharacters = 10_000
    /// The most lines in the history.
    public static let mostHistory = 500

    /// The line as grapheme clusters.
    public internal(set) var characters: [Character]
    /// The number of characters before the cursor.
    public internal(set) var cursor: Int
    /// Shown in grey while the line is empty.
    public var placeholder: String
    /// Earlier lines, the oldest first.
    public internal(set) var history: [String]

    /// The index of the history line that is shown; nil for the line being typed.
    var historyIndex: Int?
    /// The line that was being typed when the history was opened.
    var draft: [Character] = []
    /// The text last deleted by a command that deletes more than a character.
    var killed: [Character] = []

    /// Creates a line with the cursor behind its text, cut to ``mostCharacters``.
    public init(_ text: String = "", placeholder: String = "", history: [String] = []) {
        characters = Array(text.prefix(Self.mostCharacters))
        cursor = characters.count
        self.placeholder = placeholder
        self.history = history.suffix(Self.mostHistory)
    }

    /// The line. Setting it cuts it to ``mostCharacters`` and puts the cursor at its end. O(n) in its length.
    public var text: String {
        get { String(characters) }
        set {
            characters = Array(newValue.prefix(Self.mostCharacters))
            cursor = characters.count
            historyIndex = nil
        }
    }

    /// Whether there is no character.
    public var isEmpty: Bool { characters.isEmpty }
}
