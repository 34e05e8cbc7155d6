/// A colour as light, for mixing and comparing entries of the palette.
///
/// The user's own first 16 colours are unknown; these are xterm's.
public struct RGB: Hashable, Sendable {
    /// The part of red, 0 to 255.
    public var red: Int
    /// The part of green, 0 to 255.
    public var green: Int
    /// The part of blue, 0 to 255.
    public var blue: Int

    /// Creates a colour of three parts, each from 0 to 255.
    /// - Parameters:
    ///   - red: the part of red.
    ///   - green: the part of green.
    ///   - blue: the part of blue.
    public init(red: Int, green: Int, blue: Int) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Creates the colour of an entry of the 256-colour palette: 16 basic colours, a cube of 6 steps a side, 24 greys.
    public init(palette index: UInt8) {
        let index = Int(index)
        switch index {
        case 0..<16: self = Self.basic[index]
        case 16..<232:
            let cube = index - 16
            self.init(red: Self.steps[cube / 36], green: Self.steps[cube / 6 % 6], blue: Self.steps[cube % 6])
        default:
            let grey = 8 + 10 * (index - 232)
            self.init(red: grey, green: grey, blue: grey)
        }
    }

    /// Whether the three parts are equal; also of black and white.
    public var isGrey: Bool { red == green && green == blue }

    /// From 0 to 255, weighted by the eye's sensitivity.
    public var luminance: Int { (red * 299 + green * 587 + blue * 114) / 1000 }

    /// The relative luminance, from 0 for black to 1 for white.
    public var relativeLuminance: Double {
        func linear(_ value: Int) -> Double {
            let part = Double(value) / 255
            let base = (part + 0.055) / 1.055
            // The base to the power of 2.4.
            return part <= 0.04045 ? part / 12.92 : base * base * Self.fifthRoot(of: base * base)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Returns the fifth root of a number from 0 to 1, by Newton's method.
    private static func fifthRoot(of number: Double) -> Double {
        var root = 1.0
        for _ in 0..<30 { root -= (root * root * root * root * root - number) / (5 * root * root * root * root) }
        return root
    }

    /// Returns the contrast ratio of WCAG: 1 for equal colours, 21 for black and white. Text needs 4.5.
    public func contrast(with other: RGB) -> Double {
        let (a, b) = (relativeLuminance, other.relativeLuminance)
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    /// Returns how different two colours look; useful for comparison only.
    public func distance(to other: RGB) -> Int {
        let (r, g, b) = (red - other.red, green - other.green, blue - other.blue)
        return 3 * r * r + 4 * g * g + 2 * b * b
    }

    /// The first 16 entries of the palette.
    public static let basic: [RGB] = [
        0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
        0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
    ].map { RGB(red: $0 >> 16, green: $0 >> 8 & 255, blue: $0 & 255) }

    static let steps = [0, 95, 135, 175, 215, 255]
}

extension RGB {
    /// Returns the colour `amount` (0 to 1) of the way to another.
    func mixed(with other: RGB, _ amount: Double) -> RGB {
        func mix(_ a: Int, _ b: Int) -> Int { a + (Double(b - a) * amount).nearestInt }
        return RGB(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }

    /// The nearest entry of the cube and the greys, which look alike on every terminal.
    var nearestPaletteEntry: UInt8 {
        let cube = (Self.nearestStep(red), Self.nearestStep(green), Self.nearestStep(blue))
        let inCube = RGB(red: Self.steps[cube.0], green: Self.steps[cube.1], blue: Self.steps[cube.2])
        let grey = UInt8(232 + min(23, max(0, ((red + green + blue) / 3 - 3) / 10)))
        return distance(to: RGB(palette: grey)) < distance(to: inCube)
            ? grey : UInt8(16 + 36 * cube.0 + 6 * cube.1 + cube.2)
    }

    private static func nearestStep(_ value: Int) -> Int {
        value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40
    }
}
