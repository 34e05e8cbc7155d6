/// A piece of text in one style.
///
/// The text may contain anything; unsafe characters are replaced when it is drawn.
public struct Run: Hashable, Sendable {
    /// The text, as it was given.
    public var text: String
    /// The appearance of all of the text.
    public var style: Style
    /// The address that a terminal opens when the text is clicked, if it knows links; nil for none.
    public var link: String?

    /// Creates a piece of text, in the terminal's own colours by default.
    /// - Parameters:
    ///   - text: the text.
    ///   - style: the colours and attributes.
    ///   - link: where a click leads; nil for nowhere.
    public init(_ text: String, _ style: Style = .plain, link: String? = nil) {
        self.text = text
        self.style = style
        self.link = link
    }
}

/// One line of styled text, from left to right.
public typealias Line = [Run]

extension Array where Element == Run {
    /// Creates a line of one run.
    /// - Parameters:
    ///   - text: the text.
    ///   - style: the colours and attributes.
    public init(text: String, _ style: Style = .plain) { self = [Run(text, style)] }

    /// The text of all runs, without their styles.
    public var text: String { map(\.text).joined() }
}
