import FileReading
import ScreenPrograms

/// The list in the middle: its rows, their order and the columns.
@MainActor final class ListPane {
    /// The settings of a list, kept for each list of the file.
    struct Settings: Hashable, Sendable {
        var selection = RowSelection()
        /// The order by the rows' values; nil for that of the list itself.
        var order: FieldOrder?
        var columns: ListColumns?
        /// The row that was selected last.
        var row: RowKey?
    }

    private(set) var table: Table
    private(set) var rows: ListSource?
    /// The whole list, while only its end is shown because its rows are still being counted.
    private(set) var whole: ListContent?
    /// The list that the pane shows or is loading.
    private(set) var subject: ListSubject?
    private(set) var settings: [ListSubject: Settings] = [:]
    /// Why the list cannot be shown.
    private(set) var failure: String?
    var isReading = false
    /// The search in the list, and whether only matches are shown.
    var search: (pattern: String, isFilter: Bool, isKeysOnly: Bool)?
    /// The row to select when rows can be read again.
    var lostSelection: RowKey?

    init(_ options: TableOptions) {
        var options = options
        options.emptyText = "No rows here"
        table = Table(options: options)
    }

    var selection: RowSelection { subject.flatMap { settings[$0] }?.selection ?? RowSelection() }
    var order: FieldOrder? { subject.flatMap { settings[$0] }?.order }
    var selectedRowid: Int64? { table.selection?.rowid }
    /// The whole list, whichever part of it is shown.
    var content: ListContent? { whole ?? rows?.list.content }

    var theme: Theme { table.options.theme }

    /// Redraws everything in another theme.
    func show(_ theme: Theme, at time: Double) {
        rows?.theme = theme
        update { $0.setTheme(theme, source: $1, at: time) }
    }

    /// Shows that another list is being loaded, and nothing of the one before.
    func expect(_ subject: ListSubject) {
        rememberRow()
        self.subject = subject
        (rows, whole) = (nil, nil)
        failure = nil
        isReading = true
        empty("reading…")
    }

    /// Shows that there is no list, and why.
    func showNothing(_ text: String, isFailure: Bool = false) {
        rememberRow()
        subject = nil
        (rows, whole) = (nil, nil)
        isReading = false
        failure = isFailure ? text : nil
        empty(text)
    }

    func fail(_ text: String) {
        isReading = false
        failure = text
        empty(text)
    }

    func show(_ opened: OpenedList, _ decoder: RowDecoder, at time: Double) {
        isReading = false
        let kept = settings[opened.content.subject]
        let list = BrowsedList(opened.content)
        rows = ListSource(list, kept?.columns ?? opened.columns, decoder, theme: theme)
        kept?.selection.apply(to: &list.mappings, groups: opened.content.groups)
        list.refresh()
        replaceTable("No rows here", at: time)
        // A pane without room loads its rows nevertheless.
        update { $0.reload(source: $1, at: time) }
        if let row = kept?.row { table.markSelected(row, source: rows!) }
        if table.selection == nil { update { $0.select(RowPath(section: 0, row: 0), source: $1, at: time) } }
        if let path = table.selectedPath { update { $0.select(path, source: $1, at: time) } }
    }

    func resize(_ area: Rect, isFocused: Bool, at time: Double) {
        update { $0.resize(area, isFocused: isFocused, source: $1, at: time) }
    }

    func perform(_ command: TableCommand, at time: Double) {
        guard rows != nil else { return }
        update { $0.perform(command, source: $1, at: time) }
    }

    /// Changes the table with access to its rows.
    func update(_ change: (inout Table, any TableSource) -> Void) {
        change(&table, rows ?? EmptySource())
    }

    /// Shows what is known by now of the same rows, or the same rows with other settings. Selection and position stay.
    func reload(at time: Double) {
        rows?.list.refresh()
        reloadTable(at: time)
    }

    /// Redraws the rows.
    func redraw(at time: Double) { update { $0.reload(source: $1, at: time) } }

    /// Redraws all rows if one of them has widened a column. Animations continue.
    func redrawIfWidened(at time: Double) {
        guard let rows, rows.hasWidened else { return }
        rows.hasWidened = false
        update { $0.setOptions($0.options, source: $1, at: time) }
    }

    /// Shows other rows under the same name: those that match, or all again. The selected row stays if it is among
    /// them.
    /// - Parameter whole: the whole list, if `content` is only its end.
    func replace(_ content: ListContent, of whole: ListContent? = nil, at time: Double) {
        guard let old = rows else { return }
        self.whole = whole
        let list = BrowsedList(content)
        let rows = ListSource(list, old.columns, old.decoder, theme: theme)
        (rows.pattern, rows.marked) = (old.pattern, old.marked)
        self.rows = rows
        selection.apply(to: &list.mappings, groups: content.groups)
        reload(at: time)
        if let path = table.selectedPath { update { $0.select(path, source: $1, at: time) } }
    }

    func change(at time: Double, _ change: (inout Settings) -> Void) {
        guard let subject, let rows else { return }
        var settings = settings[subject] ?? Settings()
        if settings.columns == nil { settings.columns = rows.columns }
        change(&settings)
        self.settings[subject] = settings
        rows.columns = settings.columns ?? rows.columns
        settings.selection.apply(to: &rows.list.mappings, groups: rows.list.content.groups)
        reload(at: time)
    }

    /// Copies the settings to another order of the same rows.
    func copySettings(to other: ListSubject) {
        guard let subject, let rows else { return }
        var settings = settings[subject] ?? Settings()
        settings.columns = rows.columns
        settings.row = table.selection
        self.settings[other] = settings
    }

    private func rememberRow() {
        guard let subject, let row = table.selection else { return }
        settings[subject, default: Settings()].row = row
    }

    /// Replaces the table by one at the initial scroll position.
    private func replaceTable(_ emptyText: String, at time: Double) {
        let (width, height, isFocused) = (table.width, table.height, table.isFocused)
        var options = table.options
        options.emptyText = emptyText
        table = Table(options: options)
        table.isFocused = isFocused
        update { $0.resize(width: width, height: height, source: $1, at: time) }
    }

    private func empty(_ text: String) { replaceTable(text, at: 0) }
}

/// The source of a table before anything is loaded.
struct EmptySource: TableSource {
    var numberOfSections: Int { 0 }
    func numberOfRows(in section: Int) -> Int { 0 }
    func key(at path: RowPath) -> RowKey { RowKey(collection: "", key: "") }
    func path(of key: RowKey) -> RowPath? { nil }
    func cell(at path: RowPath, width: Int) -> RowCell { RowCell([]) }
}

extension ListPane {
    var selectedTexts: RowTexts? { table.selectedPath.flatMap { rows?.texts(at: $0) } }

    /// Marks or unmarks the selected row.
    func toggleMark(at time: Double) {
        guard let rowid = selectedRowid, let rows else { return }
        rows.marked.formSymmetricDifference([rowid])
        update { $0.reload(source: $1, at: time) }
    }
}
