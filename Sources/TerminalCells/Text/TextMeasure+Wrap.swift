extension TextMeasure {
    /// Returns the text as lines of at most `width` columns, broken between words, between wide characters, and inside
    /// a word only if it is longer than a line. An empty text is one empty line.
    ///
    /// At most `maxLines` lines: the last one ends in an ellipsis if there is more. Cost: the visible part, whatever
    /// the length of the text.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - width: columns.
    ///   - maxLines: the most lines.
    public func wrapped(_ text: String, width: Int, maxLines: Int = 1000) -> [String] {
        guard width > 0, maxLines > 0 else { return [] }
        let most = min(maxLines, Self.maxLines)
        var lines: [String] = []
        var rest = text[...]
        repeat {
            let (paragraph, after) = Self.firstParagraph(of: rest, limit: (width * most + 4) * Glyphs.scalarsPerColumn)
            wrap(paragraph, width: width, maxLines: most + 1, into: &lines)
            rest = after
            if lines.count > most || (lines.count == most && !rest.isEmpty) {
                return cut(lines, width: width, maxLines: most)
            }
        } while !rest.isEmpty
        return lines
    }

    /// More lines than any screen has.
    private static let maxLines = 10_000

    /// Returns the text up to a line end, and the rest. If no line ends within `limit` bytes, more than can be visible,
    /// the text is cut there.
    private static func firstParagraph(of text: Substring, limit: Int) -> (String, Substring) {
        let bytes = text.utf8
        let end = bytes.index(bytes.startIndex, offsetBy: limit, limitedBy: bytes.endIndex) ?? bytes.endIndex
        if let newline = bytes[..<end].firstIndex(of: 0x0A) {
            var paragraph = bytes[..<newline]
            if paragraph.last == 0x0D { paragraph.removeLast() }
            return (String(Substring(paragraph)), text[bytes.index(after: newline)...])
        }
        if end == bytes.endIndex { return (String(text), text[end...]) }
        var scalar = end
        while bytes[scalar] & 0xC0 == 0x80 { scalar = bytes.index(before: scalar) }
        return (String(text[..<scalar]) + "…", text[text.endIndex...])
    }

    private func wrap(_ paragraph: String, width: Int, maxLines: Int, into lines: inout [String]) {
        var line = WrappingLine(width: width)
        for glyph in Glyphs(paragraph, level: level, limit: max(0, maxLines - lines.count) * width) {
            if let full = line.add(glyph) {
                lines.append(full)
                if lines.count >= maxLines { return }
            }
        }
        lines.append(line.text)
    }

    private func cut(_ lines: [String], width: Int, maxLines: Int) -> [String] {
        var lines = Array(lines.prefix(maxLines))
        let last = lines.removeLast()
        let room = truncated(last + " " + String(ellipsis), to: width)
        lines.append(self.width(of: last) < width ? last + String(ellipsis) : room)
        return lines
    }
}

/// A line that is being filled, and where it may be broken.
private struct WrappingLine {
    let width: Int
    private var glyphs: [Glyph] = []
    private var used = 0
    /// The number of glyphs after which the line may end, or nil.
    private var breakAfter: Int?

    init(width: Int) { self.width = width }

    var text: String { Self.text(of: glyphs[...]) }

    /// Adds a glyph; returns the finished line when the glyph begins a new one.
    mutating func add(_ glyph: Glyph) -> String? {
        let isBlank = glyph.character == " "
        if glyphs.isEmpty || used + glyph.width <= width || (isBlank && used >= width) {
            append(glyph)
            return nil
        }
        let cut =
            isBlank || (glyph.width == 2) || glyphs.last?.character == " " ? glyphs.count : breakAfter ?? glyphs.count
        let finished = Self.text(of: glyphs[..<cut])
        let carried = glyphs[cut...].drop { $0.character == " " }
        glyphs = Array(carried)
        used = glyphs.reduce(0) { $0 + $1.width }
        breakAfter = nil
        if !(isBlank && glyphs.isEmpty) { append(glyph) }
        return finished
    }

    private mutating func append(_ glyph: Glyph) {
        let opensBreak = glyph.width == 2 && !glyphs.isEmpty
        if opensBreak { breakAfter = glyphs.count }
        glyphs.append(glyph)
        used += glyph.width
        if glyph.character == " " || glyph.character == "-" || glyph.width == 2 { breakAfter = glyphs.count }
    }

    /// Returns the text without trailing blanks.
    private static func text(of glyphs: ArraySlice<Glyph>) -> String {
        var end = glyphs.endIndex
        while end > glyphs.startIndex, glyphs[end - 1].character == " " { end -= 1 }
        return String(glyphs[..<end].map(\.character))
    }
}
