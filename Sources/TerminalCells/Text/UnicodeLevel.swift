/// The part of Unicode that is sent to the terminal.
public enum UnicodeLevel: String, Hashable, Sendable, CaseIterable {
    /// Grapheme clusters unchanged: for terminals that draw emoji sequences, flags and skin tones as one picture.
    case full
    /// Only what every terminal measures alike: variation selectors and skin tones are dropped, a joined emoji is
    /// reduced to its first part, a flag becomes two letters, a character of unknown width U+FFFD.
    case safe
    /// Letters without accents, replacements for symbols, `?` for everything else.
    case ascii
}
