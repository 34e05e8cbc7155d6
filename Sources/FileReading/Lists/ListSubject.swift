import ListChanges

/// What a list shows. Two are equal if their names have the same bytes, as SQLite compares them.
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
    /// Any other table of the file.
    case table(String)

    package enum RowOrder: String, CaseIterable, Hashable, Sendable {
        case key
        case rowid
    }
}

/// What tells things of several kinds in a file apart: their names, by their bytes.
package struct NamedIdentity: Hashable {
    private let kind: Int
    private let collection: StoredText?
    private let names: [ExactString?]

    package init(_ kind: Int, _ names: [String?] = [], collection: StoredText? = nil) {
        (self.kind, self.collection) = (kind, collection)
        self.names = names.map { $0.map { ExactString($0) } }
    }
}

extension ListSubject {
    private var identity: NamedIdentity {
        switch self {
        case .collection(let collection, let order): NamedIdentity(0, [order.rawValue], collection: collection)
        case .view(let name, let groups): NamedIdentity(1, [name] + (groups.map { [nil] + $0 } ?? []))
        case .index(let name, let column): NamedIdentity(2, [name, column])
        case .fullText(let name, let query): NamedIdentity(3, [name, query])
        case .relationship(let name): NamedIdentity(4, [name])
        case .rTree(let name): NamedIdentity(5, [name])
        case .smallValues: NamedIdentity(6)
        case .table(let name): NamedIdentity(7, [name])
        }
    }

    package static func == (one: ListSubject, other: ListSubject) -> Bool { one.identity == other.identity }

    package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

extension ListSubject {
    /// What it is called, and the name of its only group where it is no view.
    package var title: String {
        switch self {
        case .collection(let collection, _): collection.text
        case .view(let name, _), .index(let name, _), .fullText(let name, _), .relationship(let name), .rTree(let name),
            .table(let name):
            name
        case .smallValues: "yap2"
        }
    }

    /// Whether its rows have a group and a place in it.
    package var isView: Bool { if case .view = self { true } else { false } }

    /// Whether what its rows are like stands under their rowids in tables of SQLite's own, and not in those of a module.
    /// A row without a rowid is told by its number, which others may have later.
    var hasStoredRows: Bool {
        switch self {
        case .rTree, .table: false
        default: true
        }
    }

    /// Whether its rows have a collection and a key. Others are known by their rowids.
    var hasKeys: Bool {
        switch self {
        case .relationship, .table: false
        default: true
        }
    }

    /// Whether it names rows that stand in another table, and may be gone from there.
    var isOfOtherRows: Bool {
        switch self {
        case .view, .index, .fullText, .rTree: true
        case .collection, .relationship, .smallValues, .table: false
        }
    }
}
