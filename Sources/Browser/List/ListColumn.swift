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
