/// A colour as light, to compare entries of the palette. What the user's own palette looks like is not known; these are
/// xterm's.
struct RGB: Hashable {
    var red: Int
    var green: Int
    var blue: Int

    static let basic: [RGB] = [
        RGB(red: 0, green: 0, blue: 0), RGB(red: 205, green: 0, blue: 0), RGB(red: 0, green: 205, blue: 0),
        RGB(red: 205, green: 205, blue: 0), RGB(red: 0, green: 0, blue: 238), RGB(red: 205, green: 0, blue: 205),
        RGB(red: 0, green: 205, blue: 205), RGB(red: 229, green: 229, blue: 229), RGB(red: 127, green: 127, blue: 127),
        RGB(red: 255, green: 0, blue: 0), RGB(red: 0, green: 255, blue: 0), RGB(red: 255, green: 255, blue: 0),
        RGB(red: 92, green: 92, blue: 255), RGB(red: 255, green: 0, blue: 255), RGB(red: 0, green: 255, blue: 255),
        RGB(red: 255, green: 255, blue: 255),
    ]

    init(red: Int, green: Int, blue: Int) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// An entry of the 256-colour palette: 16 basic colours, a cube of 6 steps a side, 24 greys.
    init(palette index: UInt8) {
        let index = Int(index)
        if index < 16 {
            self = Self.basic[index]
        } else if index < 232 {
            let steps = [0, 95, 135, 175, 215, 255]
            let cube = index - 16
            self.init(red: steps[cube / 36], green: steps[cube / 6 % 6], blue: steps[cube % 6])
        } else {
            let grey = 8 + (index - 232) * 10
            self.init(red: grey, green: grey, blue: grey)
        }
    }

    var isGrey: Bool { red == green && green == blue }

    /// From 0 to 255, weighted as the eye does.
    var luminance: Int { (red * 299 + green * 587 + blue * 114) / 1000 }

    func distance(to other: RGB) -> Int {
        let (r, g, b) = (red - other.red, green - other.green, blue - other.blue)
        return 3 * r * r + 4 * g * g + 2 * b * b
    }
}
