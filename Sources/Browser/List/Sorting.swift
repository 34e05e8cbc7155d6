import FileReading

/// The order of the list on the screen by a field of its rows: its work and what is shown of it.
struct Sorting {
    let order: FieldOrder
    var work: FieldSort
    /// The list in its own order, in the state that the work began with.
    var base: ListContent
    /// The list in the order that is shown, as far as it is known.
    var shown: ListContent?
    var isRunning = true
    /// The rows that were sorted when they were last shown.
    var shownRows = 0
    /// Whether the first row is selected whenever more is sorted: until the user moves.
    var goesToFirst: Bool
    /// The newer state that the work does not know yet, and the rows that changed in between.
    var news: (content: ListContent, touched: TouchedRows)?

    /// The text of the hint line while it runs for the first time; later work follows commits.
    var progressText: String? {
        guard isRunning, shown == nil || !(shown?.isComplete ?? true) else { return nil }
        let all = base.groups.compactMap { base.sources[$0]?.count }
        let total = all.reduce(0) { $0 + $1.known }
        let rows = work.progress.rows
        let part = all.allSatisfy(\.isComplete) && total > 0 ? " \(min(100, rows * 100 / total)) %," : ""
        return "sorting \(order.words):\(part) \(RowCount(rows)) rows   Esc stops"
    }
}
