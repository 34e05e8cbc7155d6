import ScreenPrograms

extension BrowserScreen {
    func handle(_ mouse: MouseEvent) {
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
