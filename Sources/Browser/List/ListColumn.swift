import ListChanges

/// The content of a column of a list.
enum ListColumn: Hashable, Sendable {
    case key
    case collection
    /// A column of the list's own table, for example of an index or an edge.
    case stored(String)
    /// A field of the decoded object.
    case field(String)
    /// A summary of the whole object.
    case value
    case metadata
    case size
    case rowid
}

/// Names are compared by their bytes.
extension ListColumn {
    private var identity: (kind: Int, name: ExactString) {
        switch self {
        case .key: (0, ExactString(""))
        case .collection: (1, ExactString(""))
        case .stored(let name): (2, ExactString(name))
        case .field(let name): (3, ExactString(name))
        case .value: (4, ExactString(""))
        case .metadata: (5, ExactString(""))
        case .size: (6, ExactString(""))
        case .rowid: (7, ExactString(""))
        }
    }

    static func == (one: ListColumn, other: ListColumn) -> Bool { one.identity == other.identity }

    func hash(into hasher: inout Hasher) {
        hasher.combine(identity.kind)
        hasher.combine(identity.name)
    }
}

extension ListColumn {
    var title: String {
        switch self {
        case .key: "key"
        case .collection: "collection"
        case .stored(let name), .field(let name): name
        case .value: "value"
        case .metadata: "metadata"
        case .size: "size"
        case .rowid: "rowid"
        }
    }
}
