/// What a list shows.
package enum ListSubject: Hashable, Sendable {
    case collection(StoredText, by: RowOrder)
    /// If `groups` is nil: every group of the view as a section, in the order of their names.
    case view(String, groups: [String]?)
    /// The rows of a secondary index, ordered by a column or, if nil, by rowid.
    case index(String, by: String?)
    /// The rows of a full-text index that match a query in the language of SQLite's full-text search, or all rows if
    /// nil.
    case fullText(String, matching: String?)
    case relationship(String)
    /// The rows of an R-tree, ordered by rowid.
    case rTree(String)
    /// The table `yap2`.
    case smallValues

    package enum RowOrder: String, CaseIterable, Hashable, Sendable {
        case key
        case rowid
    }
}
