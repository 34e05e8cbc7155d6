import TerminalCells

/// A mouse report of the terminal, in either encoding.
struct MouseReport {
    /// The number of lines that one notch of the wheel scrolls.
    static let linesPerNotch = 3

    let code: Int
    let x: Int
    let y: Int
    let isRelease: Bool

    /// Nil for buttons that a table does not use: the wheel's sides, and the ninth button and up.
    var event: MouseEvent? {
        kind.map { MouseEvent($0, x: x, y: y, modifiers: modifiers) }
    }

    private var kind: MouseEvent.Kind? {
        let button = code & 0b11
        if code >= 128 { return nil }
        if code & 64 != 0 {
            switch button {
            case 0: return .wheel(lines: -Self.linesPerNotch)
            case 1: return .wheel(lines: Self.linesPerNotch)
            default: return nil
            }
        }
        if code & 32 != 0 { return button == 3 ? .move : .drag(button: button + 1) }
        return isRelease || button == 3 ? .release : .press(button: button + 1)
    }

    private var modifiers: Modifiers {
        var result: Modifiers = []
        if code & 4 != 0 { result.insert(.shift) }
        if code & 8 != 0 { result.insert(.alt) }
        if code & 16 != 0 { result.insert(.control) }
        return result
    }
}
