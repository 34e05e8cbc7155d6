/// One grapheme cluster that is safe to send to a terminal, and its width in columns.
public struct Glyph: Hashable, Sendable {
    public var character: Character
    /// 1 or 2.
    public var width: Int

    public init(_ character: Character, width: Int = 1) {
        self.character = character
        self.width = width
    }
}
