/// What a list shows.
package enum ListSubject: Hashable, Sendable {
    case collection(StoredText, by: RowOrder)
    /// Nil: every group of the view as a section, in the order of their names.
    case view(String, groups: [String]?)
    /// The rows of a secondary index; nil: in the order of their rowids.
    case index(String, by: String?)
    /// Nil: every row of the full-text index. Otherwise a query in the language of SQLite's full-text search.
    case fullText(String, matching: String?)
    case relationship(String)
    /// The rows of an R-tree by their rowids.
    case rTree(String)
    /// The table `yap2`.
    case smallValues

    package enum RowOrder: String, CaseIterable, Hashable, Sendable {
        case key
        case rowid
    }
}
