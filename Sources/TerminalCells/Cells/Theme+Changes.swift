extension Theme {
    /// What another version has in addition. A sign stands beside it, for terminals without colours.
    public var added: Style { Style(color(palette: background == .dark ? 114 : 22, basic: 2)) }
    /// What another version no longer has. Not red, which is for errors.
    public var removed: Style { Style(color(palette: background == .dark ? 214 : 94, basic: 5)) }
    /// What another version has otherwise.
    public var changed: Style { Style(accent) }
}
