import FileReading
import ScreenPrograms

/// What the panes do alike with their tables.
extension Table {
    /// A table that stays where it is when rows come.
    init(pane options: TableOptions, emptyText: String) {
        var options = options
        options.follows = []
        options.emptyText = emptyText
        self.init(options: options)
    }

    /// Which row is selected, as `row 12`, while the keys move in the table.
    func place(_ noun: String) -> String? { isFocused ? selectedNumber.map { "\(noun) \(RowCount($0))" } : nil }

    mutating func resize(_ area: Rect, isFocused: Bool, source: any TableSource, at time: Double) {
        resize(width: area.width, height: area.height, source: source, at: time)
        self.isFocused = isFocused
    }
}
