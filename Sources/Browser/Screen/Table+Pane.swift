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

    mutating func resize(_ area: Rect, isFocused: Bool, source: any TableSource, at time: Double) {
        resize(width: area.width, height: area.height, source: source, at: time)
        self.isFocused = isFocused
    }
}
