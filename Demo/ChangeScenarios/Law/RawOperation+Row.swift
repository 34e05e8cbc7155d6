import YapDatabase

extension RawOperation {
    /// The row that the operation names; nil for a section operation.
    package var key: RowKey? {
        switch self {
        case .insertRow(_, _, let key), .deleteRow(_, _, let key), .updateRow(_, _, let key, _): key
        case .insertSection, .deleteSection, .resetSection: nil
        }
    }
}

extension [RawOperation] {
    /// The rows that the operations name.
    package var rows: Set<RowKey> { Set(compactMap(\.key)) }
}
