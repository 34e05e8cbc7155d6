import FileReading
import ScreenPrograms

extension BrowserScreen {
    func handle(_ mouse: MouseEvent) {
        if case .press(button: 1) = mouse.kind, press(x: mouse.x, y: mouse.y) { return }
        let panes = BrowserState.Pane.allCases.compactMap { pane in tableArea(of: pane).map { (pane, $0) } }
        guard let (pane, area) = panes.first(where: { $1.contains(x: mouse.x, y: mouse.y) }) else { return }
        let (x, y) = (mouse.x - area.x, mouse.y - area.y)
        guard let command = table(of: pane).command(for: mouse.kind, x: x, y: y, at: now()) else { return }
        guard case .click = command else { return scroll(pane, command) }
        let isAgain = state.focus == pane && isSelected(x: x, y: y, in: pane)
        move(to: pane)
        // A second click does what Enter does, as users expect of a mouse.
        if isAgain { handle(.key(.enter)) } else { perform(command) }
    }

    /// Handles a click on the hint line, which does what its key does, and on the names of columns, which sorts by them.
    /// - Returns: false for a click elsewhere.
    private func press(x: Int, y: Int) -> Bool {
        if y == state.layout.hint.y {
            // While a line is typed there, a click on it is Enter.
            if state.prompt != nil {
                handle(.key(.enter))
            } else if let action = hintedAction(atColumn: x), let stroke = state.keys.map[action]?.keys.first?.first {
                handle(.key(stroke.key, stroke.modifiers))
            }
            return true
        }
        guard state.prompt == nil, let area = state.area(of: .list), let column = list.column(atX: x, y: y, in: area)
        else { return false }
        move(to: .list)
        sort(by: column)
        return true
    }

    /// Sorts by a column, or reverses the order if it is that one already.
    private func sort(by column: ListColumn) {
        let wanted: ListSubject?
        switch (list.subject, column) {
        case (.collection(let name, _)?, .key): wanted = .collection(name, by: .key)
        case (.collection(let name, _)?, .rowid): wanted = .collection(name, by: .rowid)
        case (.index(let name, _)?, .stored(let column)): wanted = .index(name, by: column)
        case (.index(let name, _)?, .rowid): wanted = .index(name, by: nil)
        default: wanted = nil
        }
        guard let wanted else { return sort(byValuesOf: column) }
        if wanted != list.subject { return sort(wanted) }
        if list.order == nil { reverse() } else { sort(by: nil) }
    }

    /// Sorts by what the rows have in a column, the smallest first, or reverses that order.
    private func sort(byValuesOf column: ListColumn) {
        guard let expression = column.expression else { return sort() }
        let isDescending = list.order.map { $0.expression == expression && !$0.isDescending } ?? false
        sort(by: FieldOrder(title: column.title, expression: expression, isDescending: isDescending))
    }

    private func tableArea(of pane: BrowserState.Pane) -> Rect? {
        guard let area = state.area(of: pane) else { return nil }
        switch pane {
        case .tree: return area
        case .list: return state.counting?.pane.tableArea(in: area) ?? list.tableArea(in: area)
        case .row: return area.splitTop(1).rest
        }
    }

    private func table(of pane: BrowserState.Pane) -> Table {
        switch pane {
        case .tree: tree.table
        case .list: state.counting?.pane.table ?? list.table
        case .row: row.table
        }
    }

    private func isSelected(x: Int, y: Int, in pane: BrowserState.Pane) -> Bool {
        let table = table(of: pane)
        if case .row(let key, _) = table.hit(x: x, y: y, at: now()) { return key == table.selection }
        return false
    }

    private func scroll(_ pane: BrowserState.Pane, _ command: TableCommand) {
        switch pane {
        case .tree: tree.perform(command, at: now())
        case .list where state.counting != nil: state.counting?.pane.perform(command, at: now())
        case .list: list.perform(command, at: now())
        case .row: row.perform(command, at: now())
        }
    }
}
