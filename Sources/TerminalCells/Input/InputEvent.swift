/// An input of the user, or a change of the terminal.
public enum InputEvent: Hashable, Sendable {
    case key(Key, Modifiers = [])
    /// Text of a bracketed paste, with its line ends as `\n`.
    case paste(String)
    case mouse(MouseEvent)
    case resize(width: Int, height: Int)
    /// Whether the terminal got or lost the keyboard focus.
    case focus(Bool)
}

public enum Key: Hashable, Sendable {
    /// A typed character. Control characters arrive as their letter with `.control`: Ctrl-D is `"d"`.
    case character(Character)
    case enter
    case tab
    case escape
    case backspace
    case delete
    case insert
    case up
    case down
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
    /// F1 is `function(1)`.
    case function(Int)
}

public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let shift = Modifiers(rawValue: 1 << 0)
    public static let alt = Modifiers(rawValue: 1 << 1)
    public static let control = Modifiers(rawValue: 1 << 2)
}

public struct MouseEvent: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case press(button: Int)
        case release
        case drag(button: Int)
        case move
        /// Lines to scroll: negative is up. Consecutive wheel events arrive as one.
        case wheel(lines: Int)
    }

    public var kind: Kind
    /// Column, from 0.
    public var x: Int
    /// Line, from 0.
    public var y: Int
    public var modifiers: Modifiers

    public init(_ kind: Kind, x: Int, y: Int, modifiers: Modifiers = []) {
        self.kind = kind
        self.x = x
        self.y = y
        self.modifiers = modifiers
    }
}
