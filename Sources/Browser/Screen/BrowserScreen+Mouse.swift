import LiveTable

extension BrowserScreen {
    func handle(_ mouse: MouseEvent) {
        if case .press = mouse.kind { notice = nil }
        if help != nil { return handleOverHelp(mouse) }
        if menu != nil { return handleOverMenu(mouse) }
        guard let pane = Pane.allCases.first(where: { tableArea(of: $0)?.contains(x: mouse.x, y: mouse.y) ?? false }),
            let area = tableArea(of: pane)
        else { return }
        let (x, y) = (mouse.x - area.x, mouse.y - area.y)
        let isOnBar = table(of: pane).hit(x: x, y: y, at: now()) == .scrollBar
        switch mouse.kind {
        case .wheel(let lines): scroll(pane, .scroll(lines: lines))
        case .press(button: 1) where isOnBar, .drag(button: 1) where isOnBar: scroll(pane, .dragScrollBar(y: y))
        case .press(button: 1):
            let isAgain = focus == pane && isSelected(x: x, y: y, in: pane)
            move(to: pane)
            // A second click does what Enter does, as users expect of a mouse.
            if isAgain { handle(.key(.enter)) } else { perform(.click(x: x, y: y)) }
        default: break
        }
    }

    private func tableArea(of pane: Pane) -> Rect? {
        guard let area = area(of: pane) else { return nil }
        switch pane {
        case .tree: return area
        case .list: return list.tableArea(in: area)
        case .row: return area.splitTop(1).rest
        }
    }

    private func table(of pane: Pane) -> Table {
        switch pane {
        case .tree: tree.table
        case .list: list.table
        case .row: row.table
        }
    }

    private func isSelected(x: Int, y: Int, in pane: Pane) -> Bool {
        let table = table(of: pane)
        if case .row(let key, _) = table.hit(x: x, y: y, at: now()) { return key == table.selection }
        return false
    }

    private func scroll(_ pane: Pane, _ command: TableCommand) {
        switch pane {
        case .tree: tree.perform(command, at: now())
        case .list: list.perform(command, at: now())
        case .row: row.perform(command, at: now())
        }
    }

    private func handleOverHelp(_ mouse: MouseEvent) {
        let screen = Rect(x: 0, y: 0, width: size.width, height: size.height)
        switch mouse.kind {
        case .wheel(let lines): help?.scroll(by: lines, in: screen, theme: theme)
        case .press: help = nil
        default: break
        }
    }

    private func handleOverMenu(_ mouse: MouseEvent) {
        guard var open = menu else { return }
        let screen = Rect(x: 0, y: 0, width: size.width, height: size.height)
        switch mouse.kind {
        case .wheel(let lines): apply(open.menu.handle(lines > 0 ? .next : .previous, count: abs(lines)), &open)
        case .press(button: 1): apply(open.menu.click(x: mouse.x, y: mouse.y, in: screen, theme: theme), &open)
        default: break
        }
    }
}
