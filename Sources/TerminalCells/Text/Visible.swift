/// Safe replacements for characters that control a terminal.
enum Visible {
    /// Returns the replacement of a control character: `␛` or, in ASCII, `^[`. A C1 control is shown as its escape
    /// sequence.
    static func control(_ scalar: Unicode.Scalar, level: UnicodeLevel) -> [Character] {
        let value = scalar.value
        if value >= 0x80 { return control("\u{1B}", level: level) + [character(value - 0x40)] }
        if level == .ascii { return ["^", value == 0x7F ? "?" : character(value + 0x40)] }
        return [character(value == 0x7F ? 0x2421 : 0x2400 + value)]
    }

    /// Returns the ASCII replacement of a character; a wide one keeps its two columns.
    static func ascii(_ scalar: Unicode.Scalar) -> [Character] {
        if scalar.value < 0x7F { return [Character(scalar)] }
        if let symbol = symbols[scalar] { return Array(symbol) }
        if (0x2400..<0x2420).contains(scalar.value) { return ["^", character(scalar.value - 0x2400 + 0x40)] }
        if let letters = AsciiTable.letters[scalar.value] { return Array(letters) }
        if (0x2500...0x257F).contains(scalar.value) { return ["+"] }
        return ScalarClass(of: scalar) == .wide ? ["?", "?"] : ["?"]
    }

    private static func character(_ value: UInt32) -> Character {
        guard let scalar = Unicode.Scalar(value) else { preconditionFailure("no picture for this character") }
        return Character(scalar)
    }

    private static let symbols: [Unicode.Scalar: String] = [
        "\u{A0}": " ", "●": "*", "◐": "o", "○": ".", "◌": ".", "▌": ">", "█": "#", "▓": "#", "▒": "+", "░": ":",
        "▂": "_",
        "▁": "_", "▏": "|", "▕": "|", "▐": "|", "■": "#", "□": "o", "◉": "@", "◎": "o", "•": "*", "·": ".", "…": "~",
        "›": ">", "‹": "<", "»": ">", "«": "<", "▸": ">", "▾": "v", "▹": ">", "▿": "v", "▶": ">", "▼": "v", "✓": "v",
        "✔": "v", "✗": "x", "✘": "x", "★": "*", "☆": "*", "↑": "^", "↓": "v", "←": "<", "→": ">", "↔": "-", "⇒": ">",
        "─": "-", "━": "-", "│": "|", "┃": "|", "═": "=", "║": "|", "╌": "-", "┄": "-", "–": "-", "—": "-", "‐": "-",
        "‑": "-", "−": "-", "‘": "'", "’": "'", "‚": ",", "“": "\"", "”": "\"", "„": "\"", "×": "x", "÷": "/", "±": "~",
        "≤": "<", "≥": ">", "≠": "!", "≈": "~", "µ": "u", "°": "o", "€": "E", "£": "L", "¥": "Y", "©": "c", "®": "r",
        "§": "S", "¶": "P", "¡": "!", "¿": "?", "␛": "^", "\u{FFFD}": "?", "\u{3000}": "  ",
    ]
}
