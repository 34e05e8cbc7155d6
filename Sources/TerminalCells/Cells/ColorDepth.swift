/// The number of colours of a terminal, which decides how fades and tints look.
public enum ColorDepth: Int, Hashable, Comparable, Sendable {
    /// NO_COLOR, or a terminal without colours: attributes alone carry meaning, nothing fades.
    case monochrome = 1
    /// Fades become dim, tints become bold.
    case eight = 8
    /// The colours of ``eight``, each also in bright.
    case sixteen = 16
    /// The xterm palette: fades and tints go in steps.
    case palette = 256

    /// Creates the depth for a number of colours reported by terminfo.
    public init(colors: Int) {
        switch colors {
        case 256...: self = .palette
        case 16...: self = .sixteen
        case 8...: self = .eight
        default: self = .monochrome
        }
    }

    public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
}
