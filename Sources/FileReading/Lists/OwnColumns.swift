/// The columns of a list's own table, as fields of a line in CSV and Markdown.
package enum OwnColumns: Sendable {
    /// Those of a table of another program: there is nothing else in its rows.
    case alone([String])
    /// Those of edges, which have a rowid and no key.
    case ofEdges([String])
    /// Those of an index, between the metadata and the object of the row that it is about.
    case besideRow([String])

    /// The names of all fields of a line.
    /// - Parameter fields: the fields of a row without columns; the object is the last.
    func fields(with fields: [String]) -> [String] {
        switch self {
        case .alone(let names): names
        case .ofEdges(let names): ["rowid"] + names
        case .besideRow(let names): fields.dropLast() + names + fields.suffix(1)
        }
    }
}
