import LiveTable

extension ListPane {
    var selectedTexts: RowTexts? { table.selectedPath.flatMap { rows?.texts(at: $0) } }

    /// Marks or unmarks the selected row.
    func toggleMark(at time: Double) {
        guard let rowid = selectedRowid, let rows else { return }
        rows.marked.formSymmetricDifference([rowid])
        update { $0.reload(source: $1, at: time) }
    }
}
