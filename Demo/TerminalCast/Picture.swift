import Foundation
import TerminalCells

/// A screen as SVG: text that can be selected, in the colours of a dark terminal.
struct Picture {
    private static let cell = (width: 8.4, height: 18.0)
    private static let margin = 12.0
    private static let foreground = RGB(red: 218, green: 218, blue: 218)
    private static let background = RGB(red: 18, green: 18, blue: 18)

    let grid: Grid

    /// The document.
    var svg: String {
        let width = Double(grid.width) * Self.cell.width + 2 * Self.margin
        let height = Double(grid.height) * Self.cell.height + 2 * Self.margin
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.number(width))" height="\(Self.number(height))" \
            viewBox="0 0 \(Self.number(width)) \(Self.number(height))" font-family="ui-monospace, 'DejaVu Sans Mono', \
            Menlo, Consolas, monospace" font-size="14">
            """,
            "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"\(Self.code(Self.background))\"/>",
        ]
        for y in 0..<grid.height { lines += pieces(ofLine: y) }
        return (lines + ["</svg>", ""]).joined(separator: "\n")
    }

    /// Draws the stretches of a line that have one style: the color behind them, then the text.
    private func pieces(ofLine y: Int) -> [String] {
        var pieces: [String] = []
        var x = 0
        while x < grid.width {
            let style = grid[x, y].style
            var end = x + 1
            while end < grid.width, grid[end, y].style == style { end += 1 }
            pieces += piece(x..<end, y: y, style)
            x = end
        }
        return pieces
    }

    private func piece(_ columns: Range<Int>, y: Int, _ style: Style) -> [String] {
        let colors = Self.colors(of: style)
        let left = Self.margin + Double(columns.lowerBound) * Self.cell.width
        let top = Self.margin + Double(y) * Self.cell.height
        let width = Self.number(Double(columns.count) * Self.cell.width)
        var pieces: [String] = []
        if colors.background != Self.background {
            pieces.append(
                "<rect x=\"\(Self.number(left))\" y=\"\(Self.number(top))\" width=\"\(width)\" "
                    + "height=\"\(Self.number(Self.cell.height))\" fill=\"\(Self.code(colors.background))\"/>")
        }
        let rules = rules(columns, y: y)
        if !rules.isEmpty {
            pieces.append(
                "<path d=\"\(rules)\" stroke=\"\(Self.code(colors.foreground))\" stroke-width=\"1\" fill=\"none\"/>")
        }
        let text = String(
            columns.compactMap { grid[$0, y].character }.map { BoxArms($0) == nil ? $0 : " " })
        guard text.contains(where: { $0 != " " }) else { return pieces }
        let weight = style.attributes.contains(.bold) ? " font-weight=\"bold\"" : ""
        let slant = style.attributes.contains(.italic) ? " font-style=\"italic\"" : ""
        let line = style.attributes.contains(.underline) ? " text-decoration=\"underline\"" : ""
        pieces.append(
            "<text x=\"\(Self.number(left))\" y=\"\(Self.number(top + 13.5))\" textLength=\"\(width)\" "
                + "lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\" fill=\"\(Self.code(colors.foreground))\""
                + "\(weight)\(slant)\(line)>\(Self.escaped(text))</text>")
        return pieces
    }

    /// Draws the rules of some cells of a line as lines from edge to edge: glyphs are not as high as a line, which leaves gaps.
    private func rules(_ columns: Range<Int>, y: Int) -> String {
        let top = Self.margin + Double(y) * Self.cell.height
        let middle = top + Self.cell.height / 2
        return columns.compactMap { x -> String? in
            guard let arms = grid[x, y].character.flatMap(BoxArms.init) else {
                return nil
            }
            let left = Self.margin + Double(x) * Self.cell.width
            let center = left + Self.cell.width / 2
            var path = ""
            if arms.contains(.left) || arms.contains(.right) {
                let (from, to) = (
                    arms.contains(.left) ? left : center, arms.contains(.right) ? left + Self.cell.width : center
                )
                path += "M\(Self.number(from)) \(Self.number(middle))H\(Self.number(to))"
            }
            if arms.contains(.up) || arms.contains(.down) {
                let (from, to) = (
                    arms.contains(.up) ? top : middle, arms.contains(.down) ? top + Self.cell.height : middle
                )
                path += "M\(Self.number(center)) \(Self.number(from))V\(Self.number(to))"
            }
            return path
        }.joined()
    }

    private static func colors(of style: Style) -> (foreground: RGB, background: RGB) {
        func rgb(_ color: Color, _ own: RGB) -> RGB {
            if case .palette(let entry) = color { RGB(palette: entry) } else { own }
        }
        var text = rgb(style.foreground, foreground)
        let behind = rgb(style.background, background)
        if style.attributes.contains(.dim) {
            text = RGB(
                red: (text.red * 2 + behind.red) / 3, green: (text.green * 2 + behind.green) / 3,
                blue: (text.blue * 2 + behind.blue) / 3)
        }
        return style.attributes.contains(.reverse) ? (behind, text) : (text, behind)
    }

    private static func code(_ color: RGB) -> String {
        String(format: "#%02x%02x%02x", color.red, color.green, color.blue)
    }

    private static func number(_ value: Double) -> String {
        let text = String(format: "%.1f", value)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

/// The directions in which a character for rules has lines, from its middle to the edges.
private struct BoxArms: OptionSet {
    let rawValue: Int

    static let up = BoxArms(rawValue: 1)
    static let down = BoxArms(rawValue: 2)
    static let left = BoxArms(rawValue: 4)
    static let right = BoxArms(rawValue: 8)

    init(rawValue: Int) { self.rawValue = rawValue }

    /// Nil for any other character.
    init?(_ character: Character) {
        switch character {
        case "─": self = [.left, .right]
        case "│": self = [.up, .down]
        case "┌": self = [.down, .right]
        case "┐": self = [.down, .left]
        case "└": self = [.up, .right]
        case "┘": self = [.up, .left]
        case "├": self = [.up, .down, .right]
        case "┤": self = [.up, .down, .left]
        case "┬": self = [.down, .left, .right]
        case "┴": self = [.up, .left, .right]
        case "┼": self = [.up, .down, .left, .right]
        default: return nil
        }
    }
}
