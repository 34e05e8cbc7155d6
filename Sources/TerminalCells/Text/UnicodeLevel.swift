/// The part of Unicode that is sent to the terminal.
public enum UnicodeLevel: String, Hashable, Sendable, CaseIterable {
    /// Grapheme clusters unchanged: for terminals that draw emoji sequences, flags and skin tones as one picture.
    case full
    /// Only what every terminal measures alike: variation selectors are dropped, a character of unknown width becomes U+FFFD. Joined emoji,
    /// skin tones and flags are kept where they are as wide as what a screen draws of them on a terminal that is not known to draw them: the
    /// first part, or two letters.
    case safe
    /// Letters without accents, replacements for symbols, `?` for everything else.
    case ascii
}
