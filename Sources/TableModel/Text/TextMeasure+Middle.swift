extension TextMeasure {
    /// Returns the text if it is at most `width` columns wide, otherwise its beginning and its end around an ellipsis.
    /// Never wider. For names, which often begin alike: the end gets most of the room.
    ///
    /// Cost: `width`, whatever the length of the text.
    public func truncatedInMiddle(_ text: String, to width: Int) -> String {
        guard width >= 3, self.width(of: text, limit: width + 1) > width else { return truncated(text, to: width) }
        var end = Array(safe(String(text.suffix(width * 2 / 3))))
        while self.width(of: String(end)) > (width - 1) * 2 / 3 { end.removeFirst() }
        return truncated(text, to: width - self.width(of: String(end))) + String(end)
    }
}
