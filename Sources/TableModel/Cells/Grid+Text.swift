extension Grid {
    /// The text of each line, without styles and trailing blanks, for comparison in tests.
    public var lines: [String] { (0..<height).map(text(ofLine:)) }

    /// Returns the text of one line without trailing blanks.
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
