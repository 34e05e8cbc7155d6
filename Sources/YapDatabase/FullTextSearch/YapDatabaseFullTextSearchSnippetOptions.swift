/// How a snippet, the part of a row's text that matches a search best, is cut and marked.
///
/// A class, because programs of the original set the properties of a `let`.
public final class YapDatabaseFullTextSearchSnippetOptions {
    /// What is put before a word that matches, unless set.
    public static let defaultStartMatchText = "<b>"
    /// What is put after a word that matches, unless set.
    public static let defaultEndMatchText = "</b>"
    /// What is put where text is left out, unless set.
    public static let defaultEllipsesText = "..."
    /// The most words of a snippet, unless set.
    public static let defaultNumberOfTokens = 15

    /// What is put before a word that matches.
    public var startMatchText = defaultStartMatchText
    /// What is put after it.
    public var endMatchText = defaultEndMatchText
    /// What is put where text is left out.
    public var ellipsesText = defaultEllipsesText
    /// The column to take the snippet from; nil, or an unknown name, for the one that matches best.
    public var columnName: String?
    /// The most words of a snippet, 1 to 64. In FTS3 and FTS4 a negative number is for each part of a snippet.
    public var numberOfTokens = defaultNumberOfTokens

    /// Creates options with the defaults.
    public init() {}

    func copy() -> YapDatabaseFullTextSearchSnippetOptions {
        let copy = YapDatabaseFullTextSearchSnippetOptions()
        copy.startMatchText = startMatchText
        copy.endMatchText = endMatchText
        copy.ellipsesText = ellipsesText
        copy.columnName = columnName
        copy.numberOfTokens = numberOfTokens
        return copy
    }

    func form(columns: [String], module: String) -> SnippetForm {
        let tokens = numberOfTokens == 0 ? 1 : min(64, max(module == "fts5" ? 1 : -64, numberOfTokens))
        return SnippetForm(
            start: startMatchText, end: endMatchText, ellipsis: ellipsesText,
            column: columnName.flatMap { columns.firstIndex(of: $0) } ?? -1, tokens: tokens)
    }
}
