/// How many colours a terminal shows.
public enum ColorDepth: Int, Hashable, Comparable, Sendable {
    /// Attributes alone carry the meaning; also where NO_COLOR is set.
    case monochrome = 1
    case eight = 8
    case sixteen = 16
    case palette = 256

    /// The depth for a number of colours that terminfo reports.
    init(colors: Int) {
        switch colors {
        case 256...: self = .palette
        case 16...: self = .sixteen
        case 8...: self = .eight
        default: self = .monochrome
        }
    }

    public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
}
