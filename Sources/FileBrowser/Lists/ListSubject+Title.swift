extension ListSubject {
    /// The list's title, which is also the name of its only group if it is not a view's.
    package var title: String {
        switch self {
        case .collection(let collection, _): collection.text
        case .view(let name, _), .index(let name, _), .fullText(let name, _), .relationship(let name), .rTree(let name):
            name
        case .smallValues: "yap2"
        }
    }

    /// Whether its rows have a group and a place in it.
    package var isView: Bool { if case .view = self { true } else { false } }

    /// Whether the rows' columns are in SQLite's own tables under their rowids, rather than in those of a module.
    var hasStoredRows: Bool { if case .rTree = self { false } else { true } }

    /// Whether it refers to rows of another table, which may be missing there.
    var isOfOtherRows: Bool {
        switch self {
        case .view, .index, .fullText, .rTree: true
        case .collection, .relationship, .smallValues: false
        }
    }
}
