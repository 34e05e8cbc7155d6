import LiveTable

extension LabScreen {
    func handle(_ event: InputEvent) {
        attempt { if let request = state.update(event, at: now()) { try perform(request) } }
    }

    func attempt(_ work: () throws -> Void) {
        do {
            try work()
        } catch let refusal as LabRefusal {
            show(notice: refusal.description)
        } catch {
            show(failure: "\(error)")
            state.screen.redraw()
        }
    }

    // MARK: Mouse

    func handle(_ mouse: MouseEvent) throws {
        let (table, panel) = (state.tableArea, state.panelArea)
        if state.isListShown, table.contains(x: mouse.x, y: mouse.y) {
            guard
                let command = stage.table.table.command(
                    for: mouse.kind, x: mouse.x - table.x, y: mouse.y - table.y, at: time)
            else { return }
            if case .click = command { try move(to: .list) }
            try stage.perform(command, at: time)
        } else if panel.contains(x: mouse.x, y: mouse.y), mouse.kind == .press(button: 1) {
            try click(panelLine: mouse.y - panel.y)
        }
    }

    /// A click on a setting selects it; a click on the selected one changes it.
    private func click(panelLine: Int) throws {
        guard let line = panelLines.dropFirst(panelLine).first?.text else { return }
        if isCut(line) { return try showDetails() }
        let clicked = settings.shown.first { line.dropFirst().hasPrefix($0.name + " ") }
        guard state.focus == .settings, let clicked else { return try move(to: .settings) }
        if clicked == state.settings.chosen { try changeSetting(up: true) } else { state.settings.chosen = clicked }
    }
}
