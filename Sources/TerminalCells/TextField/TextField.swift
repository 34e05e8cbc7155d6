/// A line of text that is being typed, with its cursor, as a value.
///
/// Characters are grapheme clusters: the cursor never stands inside one.
public struct TextField: Hashable, Sendable {
    /// More is not taken in: nobody types so much, and a pasted file should not stall the screen.
    public static let mostCharacters = 10_000
    /// Lines that the history keeps.
    public static let mostHistory = 500

    public internal(set) var characters: [Character]
    /// The number of characters in front of the cursor.
    public internal(set) var cursor: Int
    /// What is shown in grey while nothing is typed.
    public var placeholder: String
    /// Lines that were typed before, the oldest first.
    public internal(set) var history: [String]

    /// The line of the history that is shown; nil for the one being typed.
    var historyIndex: Int?
    /// What was being typed when the history was opened.
    var draft: [Character] = []
    /// What was deleted last by a command that deletes more than a character.
    var killed: [Character] = []

    public init(_ text: String = "", placeholder: String = "", history: [String] = []) {
        characters = Array(text.prefix(Self.mostCharacters))
        cursor = characters.count
        self.placeholder = placeholder
        self.history = history.suffix(Self.mostHistory)
    }

    public var text: String {
        get { String(characters) }
        set {
            characters = Array(newValue.prefix(Self.mostCharacters))
            cursor = characters.count
            historyIndex = nil
        }
    }

    public var isEmpty: Bool { characters.isEmpty }
}
