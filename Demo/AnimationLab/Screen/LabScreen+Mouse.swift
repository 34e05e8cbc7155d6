import LiveTable

extension LabScreen {
    func handle(_ mouse: MouseEvent) throws {
        if overlay != nil { return try handleInOverlay(mouse) }
        if isListShown, tableArea.contains(x: mouse.x, y: mouse.y) {
            try handleInTable(mouse)
        } else if panelArea.contains(x: mouse.x, y: mouse.y), mouse.kind == .press(button: 1) {
            try click(panelLine: mouse.y - panelArea.y)
        }
    }

    private func handleInTable(_ mouse: MouseEvent) throws {
        let (x, y) = (mouse.x - tableArea.x, mouse.y - tableArea.y)
        let isOnBar = stage.table.table.hit(x: x, y: y, at: time) == .scrollBar
        let command: TableCommand
        switch mouse.kind {
        case .wheel(let lines): command = .scroll(lines: lines)
        case .press(button: 1) where isOnBar, .drag(button: 1) where isOnBar: command = .dragScrollBar(y: y)
        case .press(button: 1):
            try move(to: .list)
            command = .click(x: x, y: y)
        default: return
        }
        try stage.perform(command, at: time)
    }

    /// A click on a setting selects it; a click on the selected one changes it.
    private func click(panelLine: Int) throws {
        guard let line = panelLines.dropFirst(panelLine).first?.text else { return }
        if isCut(line) { return try showDetails() }
        let clicked = settings.shown.first { line.dropFirst().hasPrefix($0.name + " ") }
        guard focus == .settings, let clicked else { return try move(to: .settings) }
        if clicked == setting { try changeSetting(up: true) } else { setting = clicked }
    }

    private func handleInOverlay(_ mouse: MouseEvent) throws {
        let screen = Rect(x: 0, y: 0, width: size.width, height: size.height)
        switch (mouse.kind, overlay) {
        case (.wheel(let lines), .text(var text)):
            text.scroll(by: lines, in: screen, theme: theme)
            overlay = .text(text)
        case (.wheel(let lines), .introduction(var text)):
            text.scroll(by: lines, in: screen, theme: theme)
            overlay = .introduction(text)
        case (.wheel(let lines), .entries(let title, let entries, let chosen)):
            let step = lines > 0 ? 1 : -1
            overlay = .entries(title: title, entries, chosen: min(max(0, chosen + step), entries.count - 1))
        case (.press(button: 1), .entries(let title, let entries, let chosen)):
            overlay = nil
            if let index = LabOverlay.entry(atLine: mouse.y, title, entries, chosen, in: screen, theme) {
                try choose(index, of: entries)
            }
        case (.press, _): overlay = nil
        default: break
        }
    }
}
