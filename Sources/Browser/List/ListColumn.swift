/// What a column of a list shows of each row.
enum ListColumn: Hashable, Sendable {
    case key
    case collection
    /// What the list's own table has beside the row: of an index or an edge.
    case stored(String)
    /// A field of the decoded object.
    case field(String)
    /// The whole object in short.
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
