import ObjectDecoding

extension ListedRow {
    /// The row as texts, in the order of the columns; values as JSON.
    func fields(_ isGrouped: Bool) -> [String] {
        let place = isGrouped ? [group ?? "", index.map(String.init) ?? ""] : []
        return place + [
            row.address?.collection.text ?? "", row.address?.key.text ?? "", String(row.rowid),
            row.object.map { String($0.size) } ?? "", metadata?.json ?? "", content,
        ]
    }

    /// The object, or what is there in its place.
    private var content: String {
        if let error = row.error { return error }
        if row.address == nil || !row.columns.isEmpty {
            let columns = row.columns.map { "\($0.name)=\($0.value.text)" }.joined(separator: " ")
            return object.map { "\(columns) \($0.json)" } ?? columns
        }
        return object?.json ?? ""
    }
}
