/// The appearance of a cell. Colours are those of 256-colour terminals; the screen reduces them to what the terminal
/// has.
public struct Style: Hashable, Sendable {
    /// The colour of the character.
    public var foreground: Color
    /// The colour behind the character.
    public var background: Color
    /// Bold, dim and the like.
    public var attributes: Attributes

    /// Creates a style, for example `Style(.palette(74), .bold)`.
    public init(_ foreground: Color = .terminal, on background: Color = .terminal, _ attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's own colours without attributes.
    public static let plain = Style()

    /// Its bytes in one number: equal numbers mean equal styles. Compared and set at once, where the parts are compared and set one by one.
    @inline(__always) var bytes: UInt64 {
        get {
            assert(MemoryLayout<Style>.size <= MemoryLayout<UInt64>.size, "A style no longer fits into a number.")
            var number: UInt64 = 0
            withUnsafeBytes(of: self) { bytes in withUnsafeMutableBytes(of: &number) { $0.copyMemory(from: bytes) } }
            return number
        }
        set {
            withUnsafeMutableBytes(of: &self) { bytes in
                withUnsafeBytes(of: newValue) {
                    bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<bytes.count]))
                }
            }
        }
    }
}

/// A colour of the terminal's own palette.
public enum Color: Hashable, Sendable {
    /// The terminal's default foreground or background.
    case terminal
    /// An entry of the xterm palette, 0 to 255: 16 basic colours, a 6x6x6 cube, 24 greys.
    case palette(UInt8)
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
