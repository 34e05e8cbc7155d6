/// The few colours of the interface and what the terminal can show of them.
///
/// Calm: the terminal's own colours, one accent for focus, greys for what is secondary, red for what is wrong. In
/// monochrome every colour is the terminal's own and attributes tell the difference.
public struct Theme: Hashable, Sendable {
    public enum Background: Hashable, Sendable {
        case dark
        case light
    }

    public var depth: ColorDepth
    public var unicode: UnicodeLevel
    /// What the terminal's default background is taken for: fades go towards it.
    public var background: Background

    public init(depth: ColorDepth = .palette, unicode: UnicodeLevel = .safe, background: Background = .dark) {
        self.depth = depth
        self.unicode = unicode
        self.background = background
    }
}

extension Theme {
    /// The one colour of focus.
    public var accent: Color { color(palette: background == .dark ? 74 : 31, basic: 6) }
    /// What is secondary: times, hints, counts.
    public var secondary: Style {
        depth == .palette ? Style(.palette(background == .dark ? 245 : 243)) : Style(.terminal, .dim)
    }
    /// The thin rules between panes.
    public var rule: Style {
        depth == .palette ? Style(.palette(background == .dark ? 240 : 250)) : Style(.terminal, .dim)
    }
    /// A section header.
    public var header: Style { Style(.terminal, .bold) }
    /// What is wrong.
    public var wrong: Style { Style(color(palette: background == .dark ? 203 : 160, basic: 1), .bold) }
    /// A count that asks for attention.
    public var badge: Style { Style(.terminal, .reverse) }
    /// A found word.
    public var match: Style { Style(.terminal, [.bold, .underline]) }
    /// The bar at the left edge of the selected row.
    public func selectionBar(focused: Bool) -> Style { focused ? Style(accent, .bold) : secondary }

    /// The symbol of the bar at the left edge of the selected row.
    public var selectionSymbol: Character { unicode == .ascii ? ">" : "▌" }

    private func color(palette: UInt8, basic: UInt8) -> Color {
        switch depth {
        case .monochrome: .terminal
        case .eight, .sixteen: .palette(basic)
        case .palette: .palette(palette)
        }
    }
}

extension Style {
    init(_ foreground: Color, _ attributes: Attributes) { self.init(foreground, on: .terminal, attributes) }
}
