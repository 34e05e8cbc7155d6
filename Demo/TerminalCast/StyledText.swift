import TerminalCells

/// Reads text with SGR sequences, as `tmux capture-pane -e` prints a screen, into a grid.
struct StyledText {
    private var scalars: Substring.UnicodeScalarView
    private var style = Style.plain

    /// Returns the grid of lines. Other sequences than SGR are left out; what is wider or higher than the grid is cut.
    static func grid(_ text: String, width: Int, height: Int) -> Grid {
        var grid = Grid(width: width, height: height)
        var reader = StyledText(scalars: text[...].unicodeScalars)
        var (line, y): (Line, Int) = ([], 0)
        while y < height, let scalar = reader.scalars.popFirst() {
            switch scalar {
            case "\n":
                grid.draw(line, x: 0, y: y, level: .full)
                (line, y) = ([], y + 1)
            case "\u{1B}": reader.readSequence()
            case _ where scalar.value < 0x20: break
            default:
                if line.last?.style != reader.style { line.append(Run("", reader.style)) }
                line[line.count - 1].text.unicodeScalars.append(scalar)
            }
        }
        if y < height { grid.draw(line, x: 0, y: y, level: .full) }
        return grid
    }

    private mutating func readSequence() {
        switch scalars.popFirst() {
        case "[":
            var parameters = ""
            while let scalar = scalars.popFirst() {
                guard (0x40...0x7E).contains(scalar.value) else {
                    parameters.unicodeScalars.append(scalar)
                    continue
                }
                if scalar == "m" { change(parameters) }
                return
            }
        case "]":
            // An operating system command ends with BEL or ESC \.
            while let scalar = scalars.popFirst(), scalar != "\u{07}" {
                if scalar == "\u{1B}" {
                    _ = scalars.popFirst()
                    return
                }
            }
        case "(", ")": _ = scalars.popFirst()
        default: break
        }
    }

    private mutating func change(_ parameters: String) {
        var codes = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }[...]
        while let code = codes.popFirst() {
            switch code {
            case 0: style = .plain
            case 1: style.attributes.insert(.bold)
            case 2: style.attributes.insert(.dim)
            case 3: style.attributes.insert(.italic)
            case 4: style.attributes.insert(.underline)
            case 7: style.attributes.insert(.reverse)
            case 22: style.attributes.subtract([.bold, .dim])
            case 23: style.attributes.remove(.italic)
            case 24: style.attributes.remove(.underline)
            case 27: style.attributes.remove(.reverse)
            case 30...37: style.foreground = .palette(UInt8(code - 30))
            case 90...97: style.foreground = .palette(UInt8(code - 82))
            case 39: style.foreground = .terminal
            case 40...47: style.background = .palette(UInt8(code - 40))
            case 100...107: style.background = .palette(UInt8(code - 92))
            case 49: style.background = .terminal
            case 38, 48:
                guard codes.popFirst() == 5, let entry = codes.popFirst().flatMap(UInt8.init(exactly:)) else { return }
                if code == 38 { style.foreground = .palette(entry) } else { style.background = .palette(entry) }
            default: break
            }
        }
    }
}
