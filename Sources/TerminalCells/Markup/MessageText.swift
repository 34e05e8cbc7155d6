/// A person's message, divided into what its marks mean: links, code between backticks, quotes, mentions and emoji names.
///
/// The text may contain anything. What is drawn of it is safe for a terminal, like all text here, and never wider than
/// asked for; besides control characters and blanks at line ends nothing is left out.
///
/// ```swift
/// let text = MessageText("@bob see https://example.org :tada:", names: ["bob", "carol"], reader: "bob")
/// let isUrgent = text.isForReader                              // true
/// let lines = text.lines(width: 60, theme: theme, most: 12)    // to be drawn, with the link as a link
/// ```
public struct MessageText: Hashable, Sendable {
    /// The text as it was written.
    public let text: String
    /// The names that can be mentioned, in lower case.
    let names: Set<String>
    /// The name of the person who reads, in lower case.
    let reader: String?

    /// Creates a message's text.
    ///
    /// - Parameters:
    ///   - names: those whom `@name` may mention, in any case; others stay plain text.
    ///   - reader: the name of the person who reads, whose mentions stand out.
    public init(_ text: String, names: some Sequence<String> = [], reader: String? = nil) {
        self.text = text
        self.reader = reader?.lowercased()
        self.names = Set(names.map { $0.lowercased() }).union(self.reader.map { [$0] } ?? [])
    }

    /// The links in their order, without repetitions. O(n) in the length of the text.
    public var links: [String] {
        var seen: Set<String> = []
        return spans.filter { $0.kind == .link && seen.insert($0.text).inserted }.map(\.text)
    }

    /// The names that are mentioned, in lower case. O(n) in the length of the text.
    public var mentions: Set<String> {
        Set(spans.compactMap { span in if case .mention(let name) = span.kind { name } else { nil } })
    }

    /// Whether the reader is mentioned. O(n) in the length of the text.
    public var isForReader: Bool { reader.map(mentions.contains) ?? false }

    private var spans: [MessageSpan] {
        MessageParagraph.paragraphs(of: text).flatMap {
            $0.isCode ? [] : SpanScanner.spans(of: $0.text, names: names, showsEmoji: false)
        }
    }
}

/// One line of a message's text, without the marks at its beginning.
struct MessageParagraph {
    var text: String
    /// The number of `>` at its beginning.
    var quotes = 0
    /// Whether it stands between lines of three backticks, or is one of these lines.
    var isCode = false

    /// The most levels of quotation that are shown as such.
    private static let maxQuotes = 3
    private static let fence = "```"

    static func paragraphs(of text: String) -> [MessageParagraph] {
        var isInCode = false
        return text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { line in
            let isFence = line.drop { $0 == " " }.hasPrefix(fence)
            defer { if isFence { isInCode.toggle() } }
            return isFence || isInCode ? MessageParagraph(text: String(line), isCode: true) : quoted(line)
        }
    }

    private static func quoted(_ line: Substring) -> MessageParagraph {
        var rest = line
        var quotes = 0
        while quotes < maxQuotes, rest.first == ">" {
            rest = rest.dropFirst()
            if rest.first == " " { rest = rest.dropFirst() }
            quotes += 1
        }
        return MessageParagraph(text: String(rest), quotes: quotes)
    }
}
