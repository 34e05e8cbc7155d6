extension MessageText {
    /// The lines of a message, of which a long one shows the first.
    public struct Lines: Hashable, Sendable {
        /// The lines to draw; of a folded message the last one says how many are left out.
        public var lines: [Line]
        /// The number of lines that are left out; 0 if the message is not folded.
        public var hidden: Int
    }

    /// The most lines that are counted or shown: more than anyone reads in a list.
    public static let maxLines = 10_000

    /// Returns the message wrapped to lines of at most `width` columns.
    ///
    /// Cost: the length of the text, and at most ``maxLines`` lines.
    ///
    /// - Parameters:
    ///   - style: the appearance of plain text.
    ///   - most: the most lines before the message is folded: then so many are shown, and a line `… 34 more lines`.
    ///   - hint: what stands behind that, for example the key that shows all.
    public func lines(
        width: Int, theme: Theme, style: Style = .plain, most: Int = MessageText.maxLines, hint: String = ""
    ) -> Lines {
        guard width > 0, most > 0 else { return Lines(lines: [], hidden: 0) }
        var lines: [Line] = []
        var isWhole = true
        for paragraph in MessageParagraph.paragraphs(of: text) {
            if lines.count > Self.maxLines {
                isWhole = false
                break
            }
            lines += wrapped(paragraph, width: width, theme, style)
        }
        if lines.count > Self.maxLines {
            isWhole = false
            lines.removeSubrange(Self.maxLines...)
        }
        // A line that says that one is left out would be no shorter.
        guard !isWhole || lines.count > most + 1 else { return Lines(lines: lines, hidden: 0) }
        let shown = min(most, lines.count)
        let hidden = lines.count - shown
        let count = isWhole ? "\(hidden)" : hidden == 0 ? "" : "more than \(hidden)"
        let measure = TextMeasure(theme.unicode)
        let words = [String(measure.ellipsis), count, "more lines", hint].filter { !$0.isEmpty }
        let fold = measure.truncated(words.joined(separator: " "), to: width)
        return Lines(lines: lines[..<shown] + [[Run(fold, theme.secondary)]], hidden: max(1, hidden))
    }

    private func wrapped(_ paragraph: MessageParagraph, width: Int, _ theme: Theme, _ style: Style) -> [Line] {
        let bar = theme.unicode == .ascii ? "| " : "▏ "
        let shownQuotes = min(paragraph.quotes, max(0, (width - Self.leastQuoteWidth) / 2))
        let prefix = String(repeating: bar, count: shownQuotes)
        var wrap = StyledWrap(width: width - 2 * shownQuotes, level: theme.unicode)
        for run in runs(of: paragraph, theme, paragraph.quotes > 0 ? theme.secondary : style) {
            wrap.add(run, maxLines: Self.maxLines)
        }
        wrap.endParagraph()
        return shownQuotes == 0 ? wrap.lines : wrap.lines.map { [Run(prefix, theme.rule)] + $0 }
    }

    /// The least columns beside the bars of a quotation.
    private static let leastQuoteWidth = 8

    private func runs(of paragraph: MessageParagraph, _ theme: Theme, _ style: Style) -> [Run] {
        if paragraph.isCode { return [Run(paragraph.text, theme.code)] }
        let spans = SpanScanner.spans(of: paragraph.text, names: names, showsEmoji: theme.unicode != .ascii)
        return spans.map { span in
            switch span.kind {
            case .plain: Run(span.text, style)
            case .code: Run(span.text, theme.code)
            case .link: Run(span.text, theme.link, link: span.text)
            case .mention(let name): Run(span.text, name == reader ? theme.ownMention : theme.mention)
            }
        }
    }
}
