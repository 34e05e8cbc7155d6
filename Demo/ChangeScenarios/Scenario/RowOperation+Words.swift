import YapDatabase

extension RowOperation {
    /// The operation on one line: `set k5 in A at 13`.
    package var words: String {
        switch self {
        case .set(let key, let row, _): "set \(key.scenarioName) \(row.words)"
        case .replaceObject(let key, let row): "replace \(key.scenarioName) \(row.words)"
        case .replaceMetadata(let key, _): "replace the metadata of \(key.scenarioName)"
        case .remove(let key): "remove \(key.scenarioName)"
        case .removeMany(let keys, let collection):
            "remove "
                + keys.map { RowKey(collection: collection, key: $0).scenarioName }.shortened(to: 8)
                .joined(separator: ", ")
        case .removeCollection(let collection): "remove collection \(collection)"
        case .removeAll: "remove everything"
        case .touch(let key): "touch \(key.scenarioName)"
        case .touchMetadata(let key): "touch the metadata of \(key.scenarioName)"
        case .touchRow(let key): "touch object and metadata of \(key.scenarioName)"
        }
    }
}

extension LabRow {
    /// The row's place in the view.
    fileprivate var words: String { group.map { "in \($0) at \(sort)" } ?? "in no group" }
}

extension [String] {
    /// Returns the words, or the first of them and the number of the rest.
    package func shortened(to limit: Int) -> [String] {
        count > limit ? prefix(limit / 2) + ["... \(count - limit / 2) more"] : self
    }
}
