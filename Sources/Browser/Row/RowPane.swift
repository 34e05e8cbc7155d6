import FileReading
import ScreenPrograms
import ObjectDecoding

/// The selected row at the right: its content, line by line.
@MainActor final class RowPane {
    private(set) var table: Table
    private(set) var loaded: RowDetails?
    private(set) var sections = RowSections.empty
    private(set) var isRaw = false
    var foldings: [RowSection.Part: Folding] = [:]

    init(_ options: TableOptions) {
        table = Table(pane: options, emptyText: "No row selected")
    }

    private var source: RowLines { RowLines(sections: sections, width: table.width - 2, theme: table.options.theme) }

    func resize(_ area: Rect, isFocused: Bool, at time: Double) {
        // A hex dump has more lines in a narrow pane.
        let needsReload = isRaw && area.width != table.width
        table.resize(area, isFocused: isFocused, source: source, at: time)
        if needsReload { table.reload(source: source, at: time) }
    }

    func perform(_ command: TableCommand, at time: Double) {
        table.perform(command, source: source, at: time)
    }

    /// Redraws everything in another theme.
    func show(_ theme: Theme, at time: Double) {
        table.setTheme(theme, source: RowLines(sections: sections, width: table.width - 2, theme: theme), at: time)
    }

    /// Changes the table with access to its lines.
    func update(_ change: (inout Table, any TableSource) -> Void) { change(&table, source) }

    /// Shows a row. If it is shown already, the position stays.
    func show(_ loaded: RowDetails?, at time: Double) {
        let isSame =
            loaded.map { $0.row.rowid == self.loaded?.row.rowid && $0.subject == self.loaded?.subject } ?? false
        self.loaded = loaded
        rebuild(at: time)
        if !isSame { table.perform(.selectFirst, source: source, at: 0) }
        table.finishAnimation()
    }

    func toggleRaw(at time: Double) {
        isRaw.toggle()
        rebuild(at: time)
        table.perform(.selectFirst, source: source, at: time)
        table.finishAnimation()
    }

    func rebuild(at time: Double) {
        sections = loaded.map { RowSections($0, foldings: foldings, isRaw: isRaw) } ?? .empty
        table.reload(source: source, at: time)
    }
}
