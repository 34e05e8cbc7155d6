/// Measures and fits text for a terminal, at one level of Unicode.
///
/// The results are safe to draw as they are, and come out the same when they are made safe again.
public struct TextMeasure: Hashable, Sendable {
    public var level: UnicodeLevel

    public init(_ level: UnicodeLevel = .safe) { self.level = level }

    /// The columns that a text takes. Cost: the whole text, or `limit` columns of it.
    public func width(of text: String, limit: Int = .max) -> Int {
        var width = 0
        var glyphs = Glyphs(text, level: level, limit: limit)
        while width < limit, let glyph = glyphs.next() { width += glyph.width }
        return min(width, limit)
    }

    /// The text with everything replaced that a terminal must not see.
    public func safe(_ text: String) -> String {
        var safe = ""
        for glyph in Glyphs(text, level: level) { safe.append(glyph.character) }
        return safe
    }

    /// What ends a text that was cut.
    public var ellipsis: Character { level == .ascii ? "~" : "…" }
}

/// Where a text stands in a column that is wider than it.
public enum Alignment: Hashable, Sendable {
    case left
    case right
    case center
}
