import FileReading

/// The counts by a field that are shown in place of the list.
struct Counting {
    let order: FieldOrder
    let pane: CountPane
    var work: FieldCount
    /// Whether rows changed since the work began.
    var isStale = false

    /// The text of the hint line while rows are counted for the first time.
    @MainActor var progressText: String? {
        let progress = work.progress
        guard !progress.isOver, !pane.result.isOver else { return nil }
        return "counting by \(order.title): \(RowCount(progress.rows)) rows   Esc stops"
    }
}
