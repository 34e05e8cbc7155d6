extension TextMeasure {
    /// Returns the text if it is at most `width` columns wide, otherwise its beginning and an ellipsis. Never wider.
    ///
    /// Line ends are shown as `␊`. Cost: `width`, whatever the length of the text.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - width: columns.
    public func truncated(_ text: String, to width: Int) -> String {
        fit(text, to: width).text
    }

    /// Returns the text truncated, or padded with blanks, to exactly `width` columns.
    /// - Parameters:
    ///   - text: the text.
    ///   - width: columns.
    ///   - alignment: where the text stands.
    public func padded(_ text: String, to width: Int, _ alignment: Alignment = .left) -> String {
        let (fitted, used) = fit(text, to: width)
        let blanks = max(0, width - used)
        let left =
            switch alignment {
            case .left: 0
            case .right: blanks
            case .center: blanks / 2
            }
        return String(repeating: " ", count: left) + fitted + String(repeating: " ", count: blanks - left)
    }

    /// Returns a line of exactly `width` columns with one text at its left end and another at its right end.
    ///
    /// If both do not fit, the left one is cut first; at least one blank stays between them.
    ///
    /// - Parameters:
    ///   - left: the text at the left end.
    ///   - right: the text at the right end.
    ///   - width: columns.
    public func columns(_ left: String, _ right: String, width: Int) -> String {
        let (end, used) = fit(right, to: width)
        let room = width - used - (used > 0 ? 1 : 0)
        return padded(left, to: max(0, room)) + (room >= 0 && used > 0 ? " " : "") + end
    }

    private func fit(_ text: String, to width: Int) -> (text: String, width: Int) {
        guard width > 0 else { return ("", 0) }
        var fitted = ""
        var used = 0
        /// The part that leaves a column for the ellipsis.
        var cut = (text: "", width: 0)
        var glyphs = Glyphs(text, level: level, limit: width)
        while let glyph = glyphs.next() {
            if used + glyph.width > width { return (cut.text + String(ellipsis), cut.width + 1) }
            fitted.append(glyph.character)
            used += glyph.width
            if used < width { cut = (fitted, used) }
        }
        return (fitted, used)
    }
}

extension TextMeasure {
    /// Returns the text if it is at most `width` columns wide, otherwise its beginning, an ellipsis and its end. Never wider than `width`.
    ///
    /// Suits names, which often differ only at their ends: the end gets most of the columns. Cost: `width`, whatever the length of the text.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - width: columns.
    public func truncatedInMiddle(_ text: String, to width: Int) -> String {
        guard width >= 3, self.width(of: text, limit: width + 1) > width else { return truncated(text, to: width) }
        var end = Array(safe(String(text.suffix(width * 2 / 3))))
        while self.width(of: String(end)) > (width - 1) * 2 / 3 { end.removeFirst() }
        return truncated(text, to: width - self.width(of: String(end))) + String(end)
    }
}
