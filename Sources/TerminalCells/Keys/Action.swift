/// Something that a key can be bound to, identified by its name in a configuration file.
///
/// These are the actions that every screen has; a program adds its own as further constants.
public struct Action: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    public var description: String { rawValue }

    public static let next: Action = "next"
    public static let previous: Action = "previous"
    public static let pageDown: Action = "page-down"
    public static let pageUp: Action = "page-up"
    public static let halfPageDown: Action = "half-page-down"
    public static let halfPageUp: Action = "half-page-up"
    public static let first: Action = "first"
    public static let last: Action = "last"
    public static let center: Action = "center"
    public static let scrollDown: Action = "scroll-down"
    public static let scrollUp: Action = "scroll-up"
    public static let open: Action = "open"
    public static let focusNext: Action = "focus-next"
    public static let focusPrevious: Action = "focus-previous"
    public static let search: Action = "search"
    public static let searchNext: Action = "search-next"
    public static let searchPrevious: Action = "search-previous"
    public static let filter: Action = "filter"
    public static let copy: Action = "copy"
    public static let toggleMouse: Action = "toggle-mouse"
    public static let cancel: Action = "cancel"
    public static let message: Action = "message"
    public static let help: Action = "help"
    public static let quit: Action = "quit"
}
