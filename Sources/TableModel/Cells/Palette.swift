/// The xterm palette as red, green and blue, 0 to 255.
struct RGB: Hashable {
    var red: Int
    var green: Int
    var blue: Int

    /// The usual values of a palette entry; the first 16 are the user's own, so these are a guess.
    init(palette index: UInt8) {
        let index = Int(index)
        switch index {
        case 0..<16: self = Self.basic[index]
        case 16..<232:
            let cube = index - 16
            self.init(Self.steps[cube / 36], Self.steps[cube / 6 % 6], Self.steps[cube % 6])
        default:
            let grey = 8 + 10 * (index - 232)
            self.init(grey, grey, grey)
        }
    }

    init(_ red: Int, _ green: Int, _ blue: Int) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The colour `amount` (0 to 1) of the way to another.
    func mixed(with other: RGB, _ amount: Double) -> RGB {
        func mix(_ a: Int, _ b: Int) -> Int { a + (Double(b - a) * amount).nearestInt }
        return RGB(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
    }

    /// The nearest entry among the cube and the greys, which look alike on every terminal.
    var nearestPaletteEntry: UInt8 {
        let cube = [red, green, blue].map(Self.nearestStep)
        let cubeColor = RGB(Self.steps[cube[0]], Self.steps[cube[1]], Self.steps[cube[2]])
        let grey = min(23, max(0, ((red + green + blue) / 3 - 3) / 10))
        let greyColor = RGB(palette: UInt8(232 + grey))
        return distance(to: greyColor) < distance(to: cubeColor)
            ? UInt8(232 + grey) : UInt8(16 + 36 * cube[0] + 6 * cube[1] + cube[2])
    }

    private func distance(to other: RGB) -> Int {
        let (r, g, b) = (red - other.red, green - other.green, blue - other.blue)
        return r * r + g * g + b * b
    }

    private static func nearestStep(_ value: Int) -> Int {
        value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40
    }

    private static let steps = [0, 95, 135, 175, 215, 255]

    private static let basic = [
        RGB(0, 0, 0), RGB(205, 0, 0), RGB(0, 205, 0), RGB(205, 205, 0),
        RGB(0, 0, 238), RGB(205, 0, 205), RGB(0, 205, 205), RGB(229, 229, 229),
        RGB(127, 127, 127), RGB(255, 0, 0), RGB(0, 255, 0), RGB(255, 255, 0),
        RGB(92, 92, 255), RGB(255, 0, 255), RGB(0, 255, 255), RGB(255, 255, 255),
    ]
}
