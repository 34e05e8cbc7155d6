/// The few colours of the interface and what the terminal can show of them.
///
/// Calm: the terminal's own colours, one accent for focus, greys for what is secondary, red for what is wrong. In
/// monochrome every colour is the terminal's own and attributes tell the difference.
///
/// Where the background is known, text has a contrast of at least 4.5 to 1 against it, and against that of the selected row.
public struct Theme: Hashable, Sendable {
    public enum Background: Hashable, Sendable {
        case dark
        case light
        /// Neither is sure: the terminal's own colours are used, which go with whatever it is.
        case unknown
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
    public var accent: Color { color(palette: background == .dark ? 74 : 25, basic: 6) }
    /// What is secondary: times, hints, counts.
    public var secondary: Style {
        shades == .palette ? Style(.palette(background == .dark ? 247 : 241)) : Style(.terminal, .dim)
    }
    /// The thin rules between panes.
    public var rule: Style {
        shades == .palette ? Style(.palette(background == .dark ? 240 : 250)) : Style(.terminal, .dim)
    }
    /// A section header.
    public var header: Style { Style(.terminal, .bold) }
    /// What is wrong.
    public var wrong: Style { Style(color(palette: background == .dark ? 210 : 124, basic: 1), .bold) }
    /// A count that asks for attention.
    public var badge: Style { Style(.terminal, .reverse) }
    /// A found word.
    public var match: Style { Style(.terminal, [.bold, .underline]) }
    /// The bar at the left edge of the selected row.
    public func selectionBar(focused: Bool) -> Style { focused ? Style(accent, .bold) : secondary }

    /// The symbol of the bar at the left edge of the selected row.
    public var selectionSymbol: Character { unicode == .ascii ? ">" : "▌" }

    /// The colours that can be chosen to be read: on a background that is not known the basic ones, which its owner chose.
    var shades: ColorDepth { background == .unknown ? min(depth, .sixteen) : depth }

    private func color(palette: UInt8, basic: UInt8) -> Color {
        switch shades {
        case .monochrome: .terminal
        case .eight, .sixteen: .palette(basic)
        case .palette: .palette(palette)
        }
    }
}

extension Theme.Background {
    /// What a colour is taken for: one on which the colours for dark or for light backgrounds can be read, or neither.
    public init(_ color: RGB) {
        let luminance = color.relativeLuminance
        // Up to here and from there on the colours with the least contrast, what is secondary and some names, have 4.5 to 1.
        self = luminance < 0.036 ? .dark : luminance > 0.774 ? .light : .unknown
    }
}

extension Style {
    init(_ foreground: Color, _ attributes: Attributes) { self.init(foreground, on: .terminal, attributes) }
}
