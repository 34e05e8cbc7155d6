/// Measures and fits text for a terminal, at one level of Unicode.
///
/// The results are safe to draw, and making them safe again does not change them.
public struct TextMeasure: Hashable, Sendable {
    /// The characters that the terminal shows as they are.
    public var level: UnicodeLevel

    /// Creates a measure for one level of Unicode.
    public init(_ level: UnicodeLevel = .safe) { self.level = level }

    /// Returns the width of a text in columns. Cost: the whole text, or `limit` columns of it.
    /// - Parameters:
    ///   - text: the text.
    ///   - limit: columns after which to stop.
    public func width(of text: String, limit: Int = .max) -> Int {
        var width = 0
        var glyphs = Glyphs(text, level: level, limit: limit)
        while width < limit, let glyph = glyphs.next() { width += glyph.width }
        return min(width, limit)
    }

    /// Returns the text with all unsafe characters replaced.
    public func safe(_ text: String) -> String {
        var safe = ""
        for glyph in Glyphs(text, level: level) { safe.append(glyph.character) }
        return safe
    }

    /// Ends a text that was cut.
    public var ellipsis: Character { level == .ascii ? "~" : "…" }
}

extension String {
    /// The text as it is drawn where it is a name: with a picture for each tab, whose blanks would not be seen.
    public var asName: String {
        utf8.contains(UInt8(ascii: "\t"))
            ? String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\t" ? "␉" : $0 })) : self
    }
}

/// The position of a text in a wider column.
public enum Alignment: Hashable, Sendable {
    /// At the left, blanks at the right.
    case left
    /// At the right, blanks at the left.
    case right
    /// In the middle.
    case center
}
