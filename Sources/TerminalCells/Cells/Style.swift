/// The appearance of a cell. Colours are those of 256-colour terminals; the screen reduces them to what the terminal
/// has.
public struct Style: Hashable, Sendable {
    // One number, so that a cell is small and styles are compared at once: a byte of attributes, and nine bits for each colour.
    private var bits: UInt32

    /// The colour of the character.
    public var foreground: Color {
        get { Color(bits: bits) }
        set { bits = bits & ~Color.mask | newValue.bits }
    }
    /// The colour behind the character.
    public var background: Color {
        get { Color(bits: bits >> Color.width) }
        set { bits = bits & ~(Color.mask << Color.width) | newValue.bits << Color.width }
    }
    /// Bold, dim and the like.
    public var attributes: Attributes {
        get { Attributes(rawValue: UInt8(truncatingIfNeeded: bits >> (2 * Color.width))) }
        set { bits = bits & ~(0xFF << (2 * Color.width)) | UInt32(newValue.rawValue) << (2 * Color.width) }
    }

    /// Creates a style, for example `Style(.palette(74), .bold)`.
    /// - Parameters:
    ///   - foreground: the colour of the text.
    ///   - background: the colour behind it.
    ///   - attributes: bold, underlined and the like.
    public init(_ foreground: Color = .terminal, on background: Color = .terminal, _ attributes: Attributes = []) {
        bits = foreground.bits | background.bits << Color.width | UInt32(attributes.rawValue) << (2 * Color.width)
    }

    /// The terminal's own colours without attributes.
    public static let plain = Style()
}

/// A colour of the terminal's own palette.
public enum Color: Hashable, Sendable {
    /// The terminal's default foreground or background.
    case terminal
    /// An entry of the xterm palette, 0 to 255: 16 basic colours, a 6x6x6 cube, 24 greys.
    case palette(UInt8)

    /// Its bits in a style: 0, or one more than the entry.
    fileprivate var bits: UInt32 {
        switch self {
        case .terminal: 0
        case .palette(let entry): UInt32(entry) + 1
        }
    }

    fileprivate init(bits: UInt32) {
        let number = bits & Self.mask
        self = number == 0 ? .terminal : .palette(UInt8(truncatingIfNeeded: number - 1))
    }

    fileprivate static let width: UInt32 = 9
    fileprivate static let mask: UInt32 = 1 << width - 1
}

/// A set of attributes of text. A terminal that lacks one shows the text without it.
public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Heavier, or brighter.
    public static let bold = Attributes(rawValue: 1 << 0)
    /// Paler.
    public static let dim = Attributes(rawValue: 1 << 1)
    /// Slanted.
    public static let italic = Attributes(rawValue: 1 << 2)
    /// With a line below.
    public static let underline = Attributes(rawValue: 1 << 3)
    /// With foreground and background exchanged.
    public static let reverse = Attributes(rawValue: 1 << 4)
    /// A part of a link, whose address is in ``Grid/links``.
    package static let link = Attributes(rawValue: 1 << 5)
}
