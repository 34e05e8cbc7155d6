extension RawOperation {
    /// The row that the operation concerns; nil for a section operation.
    var key: RowKey? {
        switch self {
        case .insertRow(_, _, let key), .deleteRow(_, _, let key), .updateRow(_, _, let key, _): key
        case .insertSection, .deleteSection, .resetSection: nil
        }
    }
}
