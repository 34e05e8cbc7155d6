import TerminalCells

/// What the terminal says about the mouse, in either encoding.
struct MouseReport {
    /// How far one notch of the wheel scrolls.
    static let linesPerNotch = 3

    let code: Int
    let x: Int
    let y: Int
    let isRelease: Bool

    /// nil for buttons that mean nothing to a table: the wheel's sides, and the ninth button and up.
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
