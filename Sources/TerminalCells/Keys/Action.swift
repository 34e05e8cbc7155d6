/// Something that a key can be bound to, identified by its name in a configuration file.
///
/// These are the actions that every screen has; a program adds its own as further constants.
public struct Action: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    public var description: String { rawValue }

    /// Goes to the next row.
    public static let next: Action = "next"
    /// Goes to the previous row.
    public static let previous: Action = "previous"
    /// Goes a page down.
    public static let pageDown: Action = "page-down"
    /// Goes a page up.
    public static let pageUp: Action = "page-up"
    /// Goes half a page down.
    public static let halfPageDown: Action = "half-page-down"
    /// Goes half a page up.
    public static let halfPageUp: Action = "half-page-up"
    /// Goes to the first row; with a count to the row of that number.
    public static let first: Action = "first"
    /// Goes to the last row; with a count to the row of that number.
    public static let last: Action = "last"
    /// Scrolls the selected row to the middle.
    public static let center: Action = "center"
    /// Scrolls a line down.
    public static let scrollDown: Action = "scroll-down"
    /// Scrolls a line up.
    public static let scrollUp: Action = "scroll-up"
    /// Opens what is selected.
    public static let open: Action = "open"
    /// Gives the focus to the next pane.
    public static let focusNext: Action = "focus-next"
    /// Gives the focus to the previous pane.
    public static let focusPrevious: Action = "focus-previous"
    /// Begins a search.
    public static let search: Action = "search"
    /// Goes to the next match.
    public static let searchNext: Action = "search-next"
    /// Goes to the previous match.
    public static let searchPrevious: Action = "search-previous"
    /// Shows only what matches.
    public static let filter: Action = "filter"
    /// Copies what is selected.
    public static let copy: Action = "copy"
    /// Switches the mouse off and on.
    public static let toggleMouse: Action = "toggle-mouse"
    /// Cancels what was begun, for example a search.
    public static let cancel: Action = "cancel"
    /// Shows the last message in full.
    public static let message: Action = "message"
    /// Shows all keys.
    public static let help: Action = "help"
    /// Ends the program.
    public static let quit: Action = "quit"
}
