import TableModel
import TerminalCells

/// What every screen program has in its state: the screen's size and colours, the message at the bottom, a text above
/// the panes, and what is to be done outside.
public struct ScreenState: Sendable {
    /// Columns and lines of the screen.
    public var size: (width: Int, height: Int) { didSet { foldText() } }
    /// The colours and symbols of the screen.
    public var theme: Theme
    /// The time of the frame on the screen, or of the one that is being drawn.
    public private(set) var lastDrawn = 0.0
    /// Shown until the next key.
    public var message: ScreenMessage? {
        didSet { if let message, keepsNotices || message.isFailure { lastMessage = message } }
    }
    /// The last message, kept to be read in full later.
    public private(set) var lastMessage: ScreenMessage?
    /// Whether notices are kept, too.
    let keepsNotices: Bool
    /// A text to read: the keys, or a whole message.
    public var text: Overlay? { didSet { foldText() } }
    /// What is to be done outside, in order.
    public private(set) var effects: [ScreenEffect] = []
    /// Whether something changed since the last frame that no event announced.
    public private(set) var needsFrame = false

    /// Creates the state of a screen without a message.
    ///
    /// - Parameter keepsNotices: whether ``lastMessage`` keeps notices, too, and not only failures.
    public init(size: (width: Int, height: Int), theme: Theme, keepsNotices: Bool = true) {
        self.keepsNotices = keepsNotices
        self.size = size
        self.theme = theme
    }

    /// The rectangle of the whole screen.
    public var bounds: Rect { Rect(x: 0, y: 0, width: size.width, height: size.height) }

    /// Asks for an effect. Outside of an event it happens with the next frame.
    public mutating func request(_ effect: ScreenEffect) {
        effects.append(effect)
        needsFrame = true
    }

    private mutating func foldText() {
        guard var folded = text else { return }
        folded.fold(in: bounds, theme: theme)
        if folded != text { text = folded }
    }

    /// Asks for a frame after a change without an event.
    public mutating func redraw() { needsFrame = true }

    mutating func beginFrame(at time: Double) {
        lastDrawn = time
        needsFrame = false
    }

    mutating func removeEffects() -> [ScreenEffect] {
        defer { effects = [] }
        return effects
    }
}

extension ScreenState {
    /// Performs an action that all screens have. Returns false for any other one.
    ///
    /// `help` is called on the calling thread, if the text is shown.
    ///
    /// - Parameter nothing: the message if there is none to be opened.
    public mutating func perform(
        _ action: Action, help: (Theme) -> Overlay, messageTitle: String = "The last message",
        nothing: ScreenMessage = .notice("There was no message so far.")
    ) -> Bool {
        switch action {
        case .quit: request(.quit)
        case .toggleMouse: request(.toggleMouse)
        case .help: text = help(theme)
        case .message:
            if let lastMessage {
                text = Overlay(messageTitle, text: lastMessage.text, in: size, theme: theme)
            } else {
                message = nothing
            }
        default: return false
        }
        return true
    }

    /// Handles a key or a paste while what to search for in a text is typed. Returns false if nothing is typed in one.
    ///
    /// Call it before a key is looked up: every key is part of what is typed.
    package mutating func typeOverText(_ event: InputEvent) -> Bool {
        guard var typed = text, typed.isSearchTyped else { return false }
        switch event {
        case .key, .paste: typed.typeSearch(event, in: bounds, theme: theme)
        case .mouse, .resize, .focus: return false
        }
        text = typed
        return true
    }

    /// Handles a key while a text is shown: Escape, Enter, q, ? and the key of the help close it, a blank shows the next page and the keys of a
    /// table scroll; / finds a line, n and N the next one and the one before. Any other key does nothing: what is typed after it would be commands for what the text covers.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - modifiers: what was held with it.
    ///   - reading: what the key means on the screen. Only `quit` with a modifier, as Ctrl-C has, ends the program.
    public mutating func handleOverText(_ key: Key, _ modifiers: Modifiers, _ reading: KeyReader.Reading) {
        if modifiers.isEmpty, Self.closing.contains(key) {
            text = nil
        } else if modifiers.isEmpty, key == .character(" ") {
            turnPage()
        } else if modifiers.isEmpty, let step = Self.searching[key] {
            search(step)
        } else if case .action(let action, let count) = reading {
            switch action {
            case .quit: if modifiers.isEmpty { text = nil } else { request(.quit) }
            case .help: text = nil
            case .search, .searchNext, .searchPrevious: search(action)
            default: _ = scrollText(TableCommand(action, count: count))
            }
        }
    }

    private static let closing: [Key] = [.escape, .enter, .character("q"), .character("?")]
    private static let searching: [Key: Action] = [
        .character("/"): .search, .character("n"): .searchNext, .character("N"): .searchPrevious,
    ]

    private mutating func search(_ action: Action) {
        guard var searched = text else { return }
        switch action {
        case .search: searched.beginSearch()
        default: searched.goToMatch(action == .searchNext ? .forward : .backward, in: bounds, theme: theme)
        }
        text = searched
    }

    /// Shows the next page of the text, or closes one that is seen whole.
    private mutating func turnPage() {
        if text?.canScroll(in: bounds, theme: theme) == true { _ = scrollText(.pageDown()) } else { text = nil }
    }

    /// Scrolls the text as a table would. Returns false for a command that does not scroll.
    public mutating func scrollText(_ command: TableCommand?) -> Bool {
        guard let command, var scrolled = text, scrolled.perform(command, in: bounds, theme: theme) else {
            return false
        }
        text = scrolled
        return true
    }

    /// Handles the mouse while a text is shown: the wheel scrolls it, a click closes it.
    public mutating func handleOverText(_ mouse: MouseEvent) {
        switch mouse.kind {
        case .wheel(let lines): _ = scrollText(.scroll(lines: lines))
        case .press: text = nil
        default: break
        }
    }

    /// Draws the message at the bottom of a screen.
    ///
    /// - Parameters:
    ///   - keys: the keys that work now; one of them shows the whole message on a screen that is too small.
    ///   - area: what a message of several lines stands above, in its columns; nil for the end of the hint line.
    public func drawMessage(
        in layout: ScreenLayout, notice style: Style, above area: Rect? = nil, keys: KeyMap, into grid: inout Grid
    ) {
        guard let message else { return }
        let opens = keys[.message]?.keys.first.map { KeyMap.name($0) } ?? ""
        layout.drawMessage(
            message.text, message.isFailure ? theme.wrong : style, above: area, remedy: "\(opens) shows all",
            into: &grid, theme: theme)
    }
}

/// A sentence to the user, at the bottom of the screen.
public enum ScreenMessage: Hashable, Sendable {
    /// Something to know.
    case notice(String)
    /// Something that went wrong.
    case failure(String)

    /// The sentence.
    public var text: String {
        switch self {
        case .notice(let text), .failure(let text): text
        }
    }

    /// Whether something went wrong.
    public var isFailure: Bool { if case .failure = self { true } else { false } }
}
