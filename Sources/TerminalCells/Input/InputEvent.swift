/// An input of the user, or a change of the terminal.
public enum InputEvent: Hashable, Sendable {
    /// A key with the modifiers held.
    case key(Key, Modifiers = [])
    /// Text of a bracketed paste, with its line ends as `\n`. Of one that is too long it is the beginning and an ellipsis; `missing` bytes of it
    /// were left out.
    case paste(String, missing: Int = 0)
    /// A click, a motion or the wheel of the mouse.
    case mouse(MouseEvent)
    /// The terminal has another size, in columns and lines.
    case resize(width: Int, height: Int)
    /// Whether the terminal got or lost the keyboard focus.
    case focus(Bool)
}

/// A key of the keyboard, as far as terminals report keys.
public enum Key: Hashable, Sendable {
    /// A typed character. Control characters arrive as their letter with `.control`: Ctrl-D is `"d"`.
    case character(Character)
    /// Enter or Return.
    case enter
    /// Tab; with `.shift` it goes backwards.
    case tab
    /// Escape, which is reported with a short delay because sequences begin with it.
    case escape
    /// Deletes to the left.
    case backspace
    /// Deletes to the right.
    case delete
    /// Insert.
    case insert
    /// The arrow up.
    case up
    /// The arrow down.
    case down
    /// The arrow to the left.
    case left
    /// The arrow to the right.
    case right
    /// Home.
    case home
    /// End.
    case end
    /// Page up.
    case pageUp
    /// Page down.
    case pageDown
    /// F1 is `function(1)`.
    case function(Int)
}

/// The keys that are held while another one is pressed.
public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Shift. A terminal may leave it out for characters, because it changes them anyway.
    public static let shift = Modifiers(rawValue: 1 << 0)
    /// Alt, or Escape before the key.
    public static let alt = Modifiers(rawValue: 1 << 1)
    /// Control.
    public static let control = Modifiers(rawValue: 1 << 2)
}

/// What the mouse did, and where.
public struct MouseEvent: Hashable, Sendable {
    /// What the mouse did.
    public enum Kind: Hashable, Sendable {
        /// A button went down; 1 is the left one.
        case press(button: Int)
        /// A button went up.
        case release
        /// The mouse moved to another cell while a button is held.
        case drag(button: Int)
        /// The mouse moved to another cell without a button.
        case move
        /// Lines to scroll: negative is up. Consecutive wheel events arrive as one.
        case wheel(lines: Int)
    }

    /// What the mouse did.
    public var kind: Kind
    /// Column, from 0.
    public var x: Int
    /// Line, from 0.
    public var y: Int
    /// The keys that were held.
    public var modifiers: Modifiers

    /// Creates an event in a column and a line, both counted from 0.
    /// - Parameters:
    ///   - kind: what the mouse did.
    ///   - x: the column, counted from 0.
    ///   - y: the line, counted from 0.
    ///   - modifiers: the keys that are held with it.
    public init(_ kind: Kind, x: Int, y: Int, modifiers: Modifiers = []) {
        self.kind = kind
        self.x = x
        self.y = y
        self.modifiers = modifiers
    }
}
