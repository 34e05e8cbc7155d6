/// A text being typed, with its cursor, as a value: one line, or several for a message.
///
/// Characters are grapheme clusters: the cursor is never inside one. A field of one line scrolls sideways. A field of
/// several wraps its text, grows to ``maxLines`` and then scrolls:
///
/// ```swift
/// var composer = TextField(placeholder: "Write a message", maxLines: 6)
/// composer.wrap(to: Rect(x: 0, y: 0, width: 60, height: 6))    // when the screen's size changes
/// let height = composer.height(inWidth: 60)                    // how many lines to give it
/// ```
public struct TextField: Hashable, Sendable {
    /// The most characters of a text: more than anyone types; a pasted file must not stall the screen.
    public static let maxCharacters = 10_000
    /// The most lines in the history.
    public static let maxHistory = 500

    /// The text as grapheme clusters; a line break is `"\n"`.
    public internal(set) var characters: [Character]
    /// The number of characters before the cursor.
    public internal(set) var cursor: Int { didSet { goalColumn = nil } }
    /// Whether the end of what was inserted last is left out, because there was no room for it. The next key sets it back.
    public internal(set) var isCut = false
    /// Shown in grey while the text is empty.
    public var placeholder: String
    /// Earlier texts, the oldest first.
    public internal(set) var history: [String]
    /// The most lines on the screen. In a field of one, a line break is inserted as a blank.
    public let maxLines: Int
    /// Whether the arrow up in the first line and the arrow down in the last go through the history.
    public var usesHistory = true

    /// The index of the history text that is shown; nil for the text being typed.
    var historyIndex: Int?
    /// The text that was being typed when the history was opened.
    var draft: [Character] = []
    /// The text last deleted by a command that deletes more than a character.
    var killed: [Character] = []
    /// The columns at which the text wraps, by which the cursor moves up and down.
    var columns = Int.max
    /// The level at which the text is wrapped.
    var level = UnicodeLevel.safe
    /// The column to which the cursor returns while it moves up and down across shorter lines.
    var goalColumn: Int?
    /// How the last changes are taken back, the oldest first.
    var past: [Edit] = []
    /// Whether the last change inserted a character, so that the next one belongs to it.
    var isTyping = false

    /// Creates a text with the cursor behind it, cut to ``maxCharacters``.
    ///
    /// - Parameter maxLines: the most lines on the screen; further ones scroll.
    public init(_ text: String = "", placeholder: String = "", history: [String] = [], maxLines: Int = 1) {
        self.maxLines = max(1, maxLines)
        characters = []
        cursor = 0
        self.placeholder = placeholder
        self.history = history.suffix(Self.maxHistory)
        show(adopted(text), at: nil)
    }

    /// The text. Setting it cuts it to ``maxCharacters``, puts the cursor at its end and forgets what could be undone.
    /// O(n) in its length.
    public var text: String {
        get { String(characters) }
        set {
            past = []
            isTyping = false
            show(adopted(newValue), at: nil)
        }
    }

    /// Whether there is no character.
    public var isEmpty: Bool { characters.isEmpty }

    mutating func show(_ text: [Character], at index: Int?) {
        noteReplacement()
        characters = text
        cursor = text.count
        historyIndex = index
        isCut = false
    }

    /// Returns the characters of a text from outside, with every kind of line break as `"\n"` if there can be several lines.
    func adopted(_ text: String) -> [Character] {
        let characters = text.prefix(Self.maxCharacters)
        return maxLines > 1 ? characters.map { $0.isNewline ? "\n" : $0 } : Array(characters)
    }
}

extension TextField {
    /// The most changes that can be undone.
    static let maxPast = 100

    /// What takes a change back: the cursor before it, and the steps of the change, each the inverse of one replacement.
    struct Edit: Hashable, Sendable {
        var cursor: Int
        var steps: [Step] = []

        /// What stands where and what stood there before. A string takes a tenth of the memory of its characters.
        struct Step: Hashable, Sendable {
            /// The characters that were put in; nil for all that there are.
            var range: Range<Int>?
            var old: String
        }
    }

    /// Takes back the last change; the characters of a word typed in one go are one change. Returns false if there is
    /// none left.
    @discardableResult
    public mutating func undo() -> Bool {
        guard let edit = past.popLast() else { return false }
        for step in edit.steps.reversed() {
            characters.replaceSubrange(step.range ?? characters.indices, with: step.old)
        }
        cursor = min(edit.cursor, characters.count)
        historyIndex = nil
        isTyping = false
        return true
    }

    /// Begins a change, or goes on with the last one if it is the same word that is typed.
    mutating func beginEdit(isTyping: Bool) {
        let continues = isTyping && self.isTyping
        self.isTyping = isTyping
        if continues, !past.isEmpty { return }
        if past.count >= Self.maxPast { past.removeFirst() }
        past.append(Edit(cursor: cursor))
    }

    /// Notes a step of the change that has begun.
    mutating func note(_ step: Edit.Step) {
        let change = past.count - 1
        // A word that is typed is one step.
        if step.old.isEmpty, let range = step.range, let last = past[change].steps.indices.last,
            let before = past[change].steps[last].range, before.upperBound == range.lowerBound
        {
            past[change].steps[last].range = before.lowerBound..<range.upperBound
        } else {
            past[change].steps.append(step)
        }
    }

    /// Notes that another text is shown in place of this one, which is no change of its own: the steps before it are about this text.
    private mutating func noteReplacement() {
        guard let change = past.indices.last, past[change].steps.last.map({ $0.range != nil }) ?? true else { return }
        past[change].steps.append(Edit.Step(range: nil, old: text))
    }
}

extension TextField.Edit.Step {
    /// The inverse of a replacement, without what stays in front.
    init(place: Int, old: ArraySlice<Character>, new: [Character]) {
        // By their bytes: characters of the same look are equal.
        let kept = zip(old, new).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        range = place + kept..<place + new.count
        self.old = String(old.dropFirst(kept))
    }
}
