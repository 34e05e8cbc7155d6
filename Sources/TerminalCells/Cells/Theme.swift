/// The colours of the interface, within what the terminal can show.
///
/// They are few: the terminal's own colours, one accent for focus, greys for secondary text, red for errors. In
/// monochrome every colour is the terminal's own, and attributes tell the difference.
///
/// If the background is known, text has a contrast of at least 4.5 to 1 against it and against that of the selected
/// row.
public struct Theme: Hashable, Sendable {
    /// What is known of the terminal's default background.
    public enum Background: Hashable, Sendable {
        /// Dark enough for the colours of light text.
        case dark
        /// Light enough for the colours of dark text.
        case light
        /// Neither is certain: the terminal's own colours are used, which suit any background.
        case unknown
    }

    /// The number of colours to choose from.
    public var depth: ColorDepth
    /// The characters to choose from.
    public var unicode: UnicodeLevel
    /// The assumed default background of the terminal, towards which fades go.
    public var background: Background

    /// Creates a theme; by default for a dark terminal with 256 colours.
    /// - Parameters:
    ///   - depth: how many colours the terminal has.
    ///   - unicode: which characters it can show.
    ///   - background: whether it is dark or light.
    public init(depth: ColorDepth = .palette, unicode: UnicodeLevel = .safe, background: Background = .dark) {
        self.depth = depth
        self.unicode = unicode
        self.background = background
    }
}

extension Theme {
    /// The colour of focus.
    public var accent: Color { color(palette: background == .dark ? 74 : 25, basic: 6) }
    /// Secondary text: times, hints, counts.
    public var secondary: Style {
        shades == .palette ? Style(.palette(background == .dark ? 247 : 241)) : Style(.terminal, .dim)
    }
    /// The thin rules between panes.
    public var rule: Style {
        shades == .palette ? Style(.palette(background == .dark ? 240 : 250)) : Style(.terminal, .dim)
    }
    /// A section header.
    public var header: Style { Style(.terminal, .bold) }
    /// Errors.
    public var wrong: Style { Style(color(palette: background == .dark ? 210 : 124, basic: 1), .bold) }
    /// A count that asks for attention.
    public var badge: Style { Style(.terminal, .reverse) }
    /// A found word.
    public var match: Style { Style(.terminal, [.bold, .underline]) }
    /// The style of the bar at the left edge of the selected row.
    public func selectionBar(focused: Bool) -> Style { focused ? Style(accent, .bold) : secondary }

    /// The symbol of the bar at the left edge of the selected row.
    public var selectionSymbol: Character { unicode == .ascii ? ">" : "▌" }

    /// The colours usable for readable text: only the basic ones, which the user chose, if the background is unknown.
    var shades: ColorDepth { background == .unknown ? min(depth, .sixteen) : depth }

    func color(palette: UInt8, basic: UInt8) -> Color {
        switch shades {
        case .monochrome: .terminal
        case .eight, .sixteen: .palette(basic)
        case .palette: .palette(palette)
        }
    }
}

extension Theme.Background {
    /// Creates the background for a colour: one on which the colours for dark or for light backgrounds are readable, or
    /// neither.
    public init(_ color: RGB) {
        let luminance = color.relativeLuminance
        // At these limits the colours with the least contrast (secondary text and some names) have 4.5 to 1.
        self = luminance < 0.036 ? .dark : luminance > 0.7751 ? .light : .unknown
    }
}

extension Style {
    init(_ foreground: Color, _ attributes: Attributes) { self.init(foreground, on: .terminal, attributes) }
}
