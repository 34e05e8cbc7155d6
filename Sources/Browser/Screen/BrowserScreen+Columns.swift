import FileReading
import ScreenPrograms

/// A change of a column's width.
enum WidthChange: Hashable, Sendable {
    case by(Int)
    /// Fits the column to its texts.
    case fitting

    init?(_ action: Action, count: Int?) {
        switch action {
        case .wider: self = .by(count ?? 1)
        case .narrower: self = .by(-(count ?? 1))
        case .fitColumns: self = .fitting
        default: return nil
        }
    }
}

extension BrowserScreen {
    func openColumns() {
        guard let rows = list.rows else {
            return show(notice: "There is no list to do that in.")
        }
        state.menu = OpenMenu(menu: columnMenu(rows.columns), purpose: .columns)
    }

    /// Shows or hides the column of a choice of the menu.
    func toggleColumn(_ index: Int) {
        guard let columns = list.rows?.columns else { return state.menu = nil }
        guard index < columns.all.count else {
            state.menu = nil
            state.prompt = Prompt(
                .column, TextField(placeholder: "a field inside a field: author.name, tags[0], metadata.read"))
            return
        }
        let choices = columnMenu(show(columns.toggling(columns.all[index]))).choices
        state.menu?.menu.choices = choices
    }

    /// Shows a field inside of fields as a column.
    func addColumn(_ text: String) {
        guard !text.isEmpty, let columns = list.rows?.columns else { return }
        guard let path = FieldPath(text) else {
            return show(failure: "\"\(text)\" is no field: brackets have a number or *, as in tags[0] and tags[*].")
        }
        show(columns.adding(path))
    }

    /// Changes the width of the column of a choice of the menu.
    func adjustColumn(_ index: Int, _ change: WidthChange) {
        guard let columns = list.rows?.columns, index < columns.all.count,
            let adjusted = changed(columns, columns.all[index], change)
        else { return }
        let choices = columnMenu(show(adjusted)).choices
        state.menu?.menu.choices = choices
    }

    /// Changes the width of the first column, or fits all columns again.
    func changeWidth(_ change: WidthChange) {
        guard let columns = list.rows?.columns, let first = columns.shown.first else {
            return show(notice: "There is no list to do that in.")
        }
        guard change != .fitting else {
            show(columns.shown.reduce(columns) { $0.choosing(width: nil, of: $1) })
            return show(notice: "Columns fit their content.")
        }
        guard let width = changed(columns, first, change).map(show)?.fitted(width: listWidth).first?.width else {
            return
        }
        show(notice: "The column \(first.title) is \(width) wide; c changes others.")
    }

    private func columnMenu(_ columns: ListColumns) -> Menu {
        let widths = columns.fitted(width: listWidth)
        let choices = columns.all.map { column in
            Menu.Choice(
                title: column.title, detail: widths.first { $0.column == column }.map { "\($0.width) wide" } ?? "",
                isOn: columns.shown.contains(column))
        }
        return Menu("Columns", choices + [Menu.Choice(title: "another …", detail: "author.name")], isMultiple: true)
    }

    /// Returns the changed columns; nil if the column is not on the screen.
    private func changed(_ columns: ListColumns, _ column: ListColumn, _ change: WidthChange) -> ListColumns? {
        guard let now = columns.fitted(width: listWidth).first(where: { $0.column == column }) else { return nil }
        switch change {
        case .fitting: return columns.choosing(width: nil, of: column)
        case .by(let step): return columns.choosing(width: min(listWidth, now.width + step), of: column)
        }
    }

    @discardableResult
    private func show(_ columns: ListColumns) -> ListColumns {
        list.change(at: now()) { $0.columns = columns }
        return columns
    }

    /// The width available for the columns of the list.
    private var listWidth: Int { list.table.width - 2 }
}
