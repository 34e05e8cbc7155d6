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

extension Theme {
    /// A link: underlined, so that it can be seen without colours.
    public var link: Style { Style(accent, .underline) }
    /// A piece of code in a message, whose backticks stay.
    public var code: Style {
        Style(color(palette: background == .dark ? 180 : 94, basic: 2), shades == .palette ? [] : .bold)
    }
    /// Another person's name in a message.
    public var mention: Style { Style(accent, .bold) }
    /// The reader's own name in a message.
    public var ownMention: Style { Style(accent, [.bold, .reverse]) }
}

extension Theme {
    /// Returns the colour of a person's name, numbered by ``PersonColors``: readable on the background and on the
    /// selected row, where that can be known.
    ///
    /// Without shades it is one of the basic colours, which the user chose. `.terminal` if there are no colours.
    public func color(ofPerson number: Int) -> Color {
        let colors = personColors
        return colors.isEmpty ? .terminal : .palette(colors[number % colors.count])
    }

    /// The number of colours that people can have.
    public var personColorCount: Int { personColors.count }

    private var personColors: [UInt8] {
        switch (shades, background) {
        case (.monochrome, _): []
        case (.palette, .dark): Self.peopleOnDark
        case (.palette, _): Self.peopleOnLight
        case (.sixteen, .dark): [10, 13, 14, 11, 2, 6, 3]
        case (.eight, .dark): [2, 5, 6, 3]
        // Yellow is what most palettes show as too light for a light background; red is for errors.
        case (.eight, _), (.sixteen, _): [2, 5, 6, 4]
        }
    }

    /// Entries of the cube with a contrast of at least 4.5 to 1 against entry 236, without greys and reds, the most
    /// different first.
    private static let peopleOnDark: [UInt8] = [
        114, 213, 214, 46, 153, 180, 190, 51, 218, 228, 48, 147, 215, 45, 155, 158, 43, 116, 220, 149, 85, 76, 186, 77,
    ]

    /// Entries with that contrast against entry 254.
    private static let peopleOnLight: [UInt8] = [
        25, 22, 21, 52, 126, 18, 23, 94, 92, 53, 24, 26, 125, 127, 54, 58, 17, 93, 19, 89, 20, 55, 90, 91,
    ]
}

/// Assigns colours to people. Two people share one only if all are taken.
///
/// The same names in the same order get the same colours in every run.
public struct PersonColors: Hashable, Sendable {
    /// The number of colours.
    public let count: Int
    private var numbers: [String: Int] = [:]

    /// Assigns colours to these names, in their order.
    /// - Parameters:
    ///   - names: the people.
    ///   - count: the number of colours, as in ``Theme/personColorCount``.
    public init(_ names: some Sequence<String> = [], count: Int) {
        self.count = max(1, count)
        for name in names { _ = number(of: name) }
    }

    /// Returns the number of the person's colour. A new name gets a free one, if there is one.
    public mutating func number(of name: String) -> Int {
        if let number = numbers[name] { return number }
        let count = count
        let wanted = Int(Self.stableHash(of: name) % UInt64(count))
        let taken = Set(numbers.values)
        let free = (0..<count).lazy.map { (wanted + $0) % count }.first { !taken.contains($0) }
        let number = free ?? wanted
        numbers[name] = number
        return number
    }

    /// Returns FNV-1a over the name's UTF-8, with the high half folded in. Swift's own hash differs from run to run.
    private static func stableHash(of name: String) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash ^ (hash >> 32)
    }
}
