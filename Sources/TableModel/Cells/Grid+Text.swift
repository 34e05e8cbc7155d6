extension Grid {
    /// The text of each line, without styles and without blanks at its end: what a test compares.
    public var lines: [String] { (0..<height).map(text(ofLine:)) }

    /// The text of one line, without blanks at its end.
    public func text(ofLine y: Int) -> String {
        var text = ""
        var end = text.endIndex
        for x in 0..<width {
            let cell = self[x, y]
            guard let character = cell.character else { continue }
            text.append(character)
            if !cell.text.isBlank { end = text.endIndex }
        }
        return String(text[..<end])
    }
}
