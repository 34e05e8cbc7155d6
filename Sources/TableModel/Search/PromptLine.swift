import TerminalCells

/// What the user is asked for at the bottom of the screen.
public protocol PromptQuestion: Hashable, Sendable {
    /// What stands before the answer: `/`, or ` new group: `.
    var label: String { get }
}

/// A question and the line in which the user types the answer. The program does what the answer means.
public struct PromptLine<Question: PromptQuestion>: Hashable, Sendable {
    /// What a key did to the line.
    public enum Event: Hashable, Sendable {
        /// The text changed: search while the user types.
        case typed(String)
        /// Enter.
        case accepted(String)
        /// Esc, or Backspace in an empty line: restore the state before.
        case cancelled
    }

    /// What the user is asked.
    public var question: Question
    /// The line being typed.
    public var field: TextField

    /// Creates the line below a question, empty unless a field with text is given.
    /// - Parameters:
    ///   - question: what the user is asked.
    ///   - field: the line to type in.
    public init(_ question: Question, _ field: TextField = TextField()) {
        self.question = question
        self.field = field
    }

    /// Handles a key; returns nil for a key that the line does not use.
    public mutating func handle(_ event: InputEvent) -> Event? {
        if case .key(.backspace, _) = event, field.isEmpty { return .cancelled }
        switch field.handle(event) {
        case .changed: return .typed(field.text)
        case .submitted(let text): return .accepted(text)
        case .cancelled: return .cancelled
        case nil: return nil
        }
    }

    /// Draws the question and the line in the first line of a rectangle, and says if the end of a paste is left out.
    /// - Parameters:
    ///   - grid: what is drawn into.
    ///   - rect: the rectangle to draw in.
    ///   - theme: the colours and symbols.
    public func draw(into grid: inout Grid, in rect: Rect, theme: Theme) {
        let label = Run(question.label, Style(theme.accent))
        let note = field.isCut ? " The rest has no room. " : ""
        let (left, right) = rect.splitLeft(max(rect.width / 2, rect.width - note.count))
        field.draw(into: &grid, in: left, prompt: label, theme: theme, isFocused: true)
        grid.fill(right)
        grid.draw(note, theme.wrong, x: right.x, y: right.y, in: right, level: theme.unicode)
    }
}
