import FileReading

/// An order of a list by a field of its rows, or by an expression.
struct FieldOrder: Hashable, Sendable {
    /// What it is called: the field, or the expression itself.
    var title: String
    var expression: String
    var isDescending: Bool

    /// What the list's title line says.
    var words: String { "by \(title) \(isDescending ? "↓" : "↑")" }

    var order: FilteredRows.Order { FilteredRows.Order(expression, isDescending: isDescending) }
}

extension ListColumn {
    /// What the column is in an expression; nil for a summary of the whole value.
    var expression: String? {
        switch self {
        case .key: "row.key"
        case .collection: "row.collection"
        case .rowid: "row.rowid"
        case .size: "row.size"
        case .metadata: "metadata"
        case .value: nil
        case .stored(let name): name.asName(in: "row")
        case .field(let name): name.asName(in: nil)
        }
    }
}

extension String {
    /// As a name in an expression, in quotes where it is not plain. A name that means something else by itself is put behind `object`.
    fileprivate func asName(in table: String?) -> String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
            default: false
            }
        }
        let quoted = isPlain && !Self.words.contains(lowercased()) ? self : "\"\(escaping("\"", with: "\""))\""
        if let table { return "\(table).\(quoted)" }
        return ["rowid", "oid", "_rowid_", "object", "metadata", "row"].contains(lowercased())
            ? "object.\(quoted)" : quoted
    }

    /// Words that SQLite does not take for a name.
    private static let words: Set<String> = [
        "add", "all", "alter", "and", "as", "between", "case", "check", "collate", "commit", "constraint", "create",
        "default", "deferrable", "delete", "distinct", "drop", "else", "escape", "except", "exists", "false", "foreign",
        "from", "group", "having", "in", "index", "insert", "intersect", "into", "is", "isnull", "join", "limit",
        "metadata",
        "not", "notnull", "null", "object", "on", "or", "order", "primary", "references", "row", "select", "set",
        "table",
        "then", "to", "transaction", "true", "union", "unique", "update", "using", "values", "when", "where",
    ]
}
