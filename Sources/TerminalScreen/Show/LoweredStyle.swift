import TerminalCells

/// A style reduced to the colours that a terminal has.
struct LoweredStyle: Hashable {
    var colors: ColorPair
    var attributes: Attributes

    init(_ style: Style, for depth: ColorDepth) {
        attributes = style.attributes
        switch depth {
        case .monochrome:
            colors = .terminal
        case .palette:
            colors = ColorPair(foreground: style.foreground.number, background: style.background.number)
        case .eight, .sixteen:
            let foreground = style.foreground.lowered(to: depth, isBackground: false)
            let background = style.background.lowered(to: depth, isBackground: true)
            colors = ColorPair(foreground: foreground.number, background: background.number)
            attributes.formUnion(foreground.attributes)
        }
        // If two different colours are reduced to the same one, the text would be invisible.
        if colors.foreground == colors.background, colors.foreground >= 0, style.foreground != style.background {
            colors.foreground = ColorPair.terminal.foreground
        }
    }
}

/// Palette numbers for ncurses: -1 is the terminal's own colour.
struct ColorPair: Hashable {
    var foreground: Int32
    var background: Int32

    static let terminal = ColorPair(foreground: -1, background: -1)
}

extension Color {
    fileprivate var number: Int32 {
        switch self {
        case .terminal: -1
        case .palette(let index): Int32(index)
        }
    }

    /// Returns the nearest colour of a small palette. Greys become the terminal's own colour, dim if they are dark:
    /// among eight colours the nearest grey is often the colour of the background.
    fileprivate func lowered(to depth: ColorDepth, isBackground: Bool) -> (number: Int32, attributes: Attributes) {
        guard case .palette(let index) = self else { return (-1, []) }
        if index < 8 { return (Int32(index), []) }
        if index < 16 {
            if depth == .sixteen { return (Int32(index), []) }
            return (Int32(index) - 8, isBackground ? [] : .bold)
        }
        let color = RGB(palette: index)
        if color.isGrey {
            return (-1, !isBackground && color.luminance < 140 ? .dim : [])
        }
        let nearest = (0..<UInt8(depth.rawValue)).min {
            color.distance(to: RGB(palette: $0)) < color.distance(to: RGB(palette: $1))
        }
        return (Int32(nearest ?? 0), [])
    }
}
