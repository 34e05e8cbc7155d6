extension Theme {
    /// A link: underlined, so that it can be seen without colours.
    public var link: Style { Style(accent, .underline) }
    /// A piece of code in a message, whose backticks stay.
    public var code: Style {
        Style(color(palette: background == .dark ? 180 : 94, basic: 2), shades == .palette ? [] : .bold)
    }
    /// Another person's name in a message.
    public var mention: Style { Style(accent, .bold) }
    /// The reader's own name in a message.
    public var ownMention: Style { Style(accent, [.bold, .reverse]) }
}
