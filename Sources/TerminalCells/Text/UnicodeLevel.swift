/// How much of Unicode is sent to the terminal.
public enum UnicodeLevel: String, Hashable, Sendable, CaseIterable {
    /// Grapheme clusters as they are: for terminals that draw emoji sequences, flags and skin tones as one picture.
    case full
    /// What every terminal measures alike: variation selectors and skin tones are dropped, a joined emoji is its first
    /// part, a flag is two letters, a character of unknown width is U+FFFD.
    case safe
    /// Letters without their accents, stand-ins for symbols, `?` for everything else.
    case ascii
}
