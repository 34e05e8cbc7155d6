extension DecodedValue {
    /// The number of direct children.
    package var childCount: Int {
        switch self {
        case .array(let values), .set(let values): values.count
        case .dictionary(let fields), .object(_, let fields): fields.count
        default: 0
        }
    }

    /// Returns the child at an index.
    package func child(_ index: Int) -> DecodedValue {
        switch self {
        case .array(let values), .set(let values): return values[index]
        case .dictionary(let fields), .object(_, let fields): return fields[index].value
        default: fatalError("Only lists, dictionaries and objects have children.")
        }
    }

    /// The fields of a dictionary or an object; nil for everything else.
    package var fields: [DecodedField]? {
        switch self {
        case .dictionary(let fields), .object(_, let fields): fields
        default: nil
        }
    }

    /// Returns the path of the child at an index, given the path of this value.
    package func path(ofChild index: Int, at path: ValuePath) -> ValuePath {
        guard let field = fields?[index] else { return path.element(index) }
        return field.name.map(path.field) ?? path.key(index)
    }
}
