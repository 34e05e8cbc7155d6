import ListChanges

/// What a person wants to find, as a value: no text that is typed into a search field is a wrong query.
///
/// ```swift
/// let typed = "o'br"
/// let found = try transaction[texts].values(matching: .prefixes(of: typed))   // finds "O'Brien"
/// ```
///
/// Quotation marks, brackets, hyphens and words such as `AND` mean themselves. Only ``query(_:)`` is SQLite's language. Of a very long text, one
/// that was pasted for example, the first 500 words count; a phrase is searched for as a whole.
///
/// What the index finds no word in, such as a lone dash, is left out beside words, and nothing is found without any. For
/// ``YapTokenizer/trigrams``, where every character counts, these are the words of one or two characters: `de abc` finds what `abc` finds.
public struct YapSearchText: Hashable, Sendable {
    private enum Form: Hashable, Sendable {
        case words
        case prefixes
        case phrase
        case query
    }

    private let form: Form
    /// What was typed.
    public let text: String

    /// Whole words, all of which must be there, in any order. Nothing is found without a word.
    public static func words(in text: String) -> YapSearchText { YapSearchText(form: .words, text: text) }

    /// Beginnings of words, all of which must be there, in any order: what a search field wants while a person types.
    public static func prefixes(of text: String) -> YapSearchText { YapSearchText(form: .prefixes, text: text) }

    /// Words that follow each other.
    public static func phrase(_ text: String) -> YapSearchText { YapSearchText(form: .phrase, text: text) }

    /// A query in the language of SQLite's `MATCH`: `word*`, `"two words"`, `a OR b`, `title: word`. A wrong one throws `badQuery`.
    public static func query(_ text: String) -> YapSearchText { YapSearchText(form: .query, text: text) }

    /// The most words of a text. SQLite's time grows with the square of their number, and a search list is filled within a write.
    private static let maxWords = 500

    /// The query for a table of a module of SQLite.
    /// - Parameter options: those of the table, such as `tokenize=porter`.
    func query(module: String, options: [String], _ tokenizer: YapTokenizer?) -> String {
        if form == .query { return text }
        // SQLite's text ends at a NUL.
        let typed = tokenizer?.prepared(text) ?? text
        // By scalars, as SQLite's tokenizers read it: a mark behind a space begins the next word.
        let words =
            form == .phrase
            ? [typed] : typed.unicodeScalars.split { $0.properties.isWhitespace || $0 == "\0" }.map { String($0) }
        // FTS5 leaves out what its tokenizer makes no token of. In FTS4 nothing would be found beside it.
        let older = module == "fts5" ? nil : OlderTokenizer(options)
        let named = words.filter { older?.hasToken(in: $0) ?? true }
        let counted = (named.isEmpty ? words : named).prefix(Self.maxWords)
        return counted.map { quoted($0, module) }.joined(separator: " ")
    }

    private func quoted(_ word: String, _ module: String) -> String {
        let isPrefix = form == .prefixes
        if module == "fts5" {
            return "\"\(blanking("\0", in: word).escaping("\"", with: "\""))\"\(isPrefix ? " *" : "")"
        }
        // Within a phrase, a star and a caret still have their meaning in FTS4.
        return "\"\(blanking("\"*^\0", in: word))\(isPrefix ? "*" : "")\""
    }

    /// Replaces characters by spaces. By scalars, as SQLite reads them: one with a combining mark behind it is one, too.
    private func blanking(_ characters: String, in word: String) -> String {
        String(String.UnicodeScalarView(word.unicodeScalars.map { characters.unicodeScalars.contains($0) ? " " : $0 }))
    }
}

/// Which characters the tokenizers of FTS3 and FTS4 take for parts of words.
private struct OlderTokenizer {
    /// What follows `tokenize=`; empty for `simple`.
    private let text: String

    init(_ options: [String]) {
        text = options.lazy.compactMap { $0.dropping(prefix: "tokenize=") }.first ?? ""
    }

    func hasToken(in word: String) -> Bool { word.unicodeScalars.contains(where: isToken) }

    private func isToken(_ scalar: Unicode.Scalar) -> Bool {
        // `unicode61` takes characters that are to count as letters: tokenchars=-_
        if text.unicodeScalars.contains(scalar), text.contains("tokenchars") { return true }
        if scalar.isASCII {
            return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || scalar == "_" && text.hasPrefix("porter")
        }
        return text.hasPrefix("unicode61") ? isToken61(scalar) : true
    }

    /// The table of `unicode61` has what was no letter and no number in Unicode 6.1; all else is one, also what that version did not have.
    private func isToken61(_ scalar: Unicode.Scalar) -> Bool {
        guard let age = scalar.properties.age, (age.major, age.minor) <= (6, 1) else { return true }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber,
            .otherNumber, .privateUse, .unassigned:
            return true
        default: return false
        }
    }
}

/// How a ``YapTextIndex`` finds the words in a text. All of them are SQLite's own, so the file opens in every program.
public struct YapTokenizer: Hashable, Sendable {
    /// The argument of FTS5; nil for its own default.
    let option: String?
    private let separatesIdeographs: Bool
    /// Part of the version tag of the index.
    let name: String

    /// Words of letters and digits of any language; case and diacritics are ignored, so `Éva` is found by `eva`.
    public static let words = YapTokenizer(option: nil, separatesIdeographs: false, name: "")

    /// Words; case is ignored, and diacritics are not: `eva` does not find `Éva`.
    public static let wordsWithDiacritics = YapTokenizer(
        option: "'unicode61 remove_diacritics 0'", separatesIdeographs: false, name: "diacritics")

    /// Words in English by their stems: `runs` finds `running`.
    public static let englishStems = YapTokenizer(
        option: "'porter unicode61'", separatesIdeographs: false, name: "porter")

    /// Any three characters that follow each other, so that a part of a word is found: `rie` finds `O'Brien`. Shorter texts find nothing, and
    /// beside longer ones they do not count.
    public static let trigrams = YapTokenizer(option: "trigram", separatesIdeographs: false, name: "trigram")

    /// Words, and each Chinese, Japanese or Korean character as a word of its own, because those texts have no spaces. What is searched for
    /// is found where its characters follow each other. Between the characters of the index stands a space without width.
    public static let eastAsian = YapTokenizer(option: nil, separatesIdeographs: true, name: "east asian")

    /// A text as it is stored in the index, and as it is searched for.
    func prepared(_ text: String) -> String { separatesIdeographs ? Self.separated(text) : text }

    private static let separator = Unicode.Scalar(0x200b)!

    private static func separated(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var result = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if let last, isAlone(last) || isAlone(scalar), !scalar.properties.isGraphemeExtend {
                result.append(separator)
            }
            result.append(scalar)
            last = scalar
        }
        return String(result)
    }

    /// Kana, ideographs, and syllables of Hangul.
    private static func isAlone(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3040...0x30ff, 0x3400...0x4dbf, 0x4e00...0x9fff, 0xac00...0xd7a3, 0xf900...0xfaff, 0x20000...0x3ffff:
            true
        default: false
        }
    }
}
