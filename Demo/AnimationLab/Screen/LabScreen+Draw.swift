import Foundation
import LiveTable

extension LabScreen {
    /// Sets the areas of the tables, after a change of size or focus.
    func layOut() throws {
        for (list, area) in [(stage.table, state.tableArea), (stage.plain, state.besideArea)] where !area.isEmpty {
            try list.update { table, source in
                table.resize(width: area.width, height: area.height, source: source, at: time)
            }
        }
        stage.table.update { $0.isFocused = state.focus == .list }
        stage.plain.update { $0.isFocused = false }
    }

    func draw() -> Grid {
        let start = ContinuousClock.now
        let layout = state.layout
        var grid = Grid(width: size.width, height: size.height)
        layout.draw(into: &grid, title: title, status: status, hint: hint, theme: theme)
        if state.isListShown { stage.table.table.draw(into: &grid, in: state.tableArea, at: timeOfFrame) }
        if state.isListShown, state.beside != .nothing { drawBeside(into: &grid) }
        draw(panelLines, into: &grid, in: state.panelArea)
        if !state.stripArea.isEmpty { draw(stripLines, into: &grid, in: state.stripArea) }
        state.screen.drawMessage(in: layout, notice: .plain, keys: state.keys.list, into: &grid)
        state.prompt?.draw(into: &grid, in: layout.hint, theme: theme)
        state.overlay?.draw(into: &grid, in: state.screen)
        state.screen.text?.draw(into: &grid, in: grid.bounds, theme: theme)
        memory.frameTime = .now - start
        return grid
    }

    private func draw(_ lines: [Line], into grid: inout Grid, in area: Rect) {
        for (y, line) in lines.enumerated() {
            grid.draw(line, x: area.x, y: area.y + y, in: area, level: theme.unicode)
        }
    }

    // MARK: Title and hints

    private var title: Line {
        let name = stage.entry.isPlayground ? options.database?.lastPathComponent ?? "playground" : stage.entry.name
        let place = state.entries.place.map { " \($0.number) of \($0.count)" } ?? ""
        return [Run(" yap lab", theme.header), Run(" · \(name)\(place)", theme.secondary)]
    }

    private var status: Line {
        let pending = (state.focus == .list ? state.strokes : state.settingStrokes).pending
        return [
            Run(state.work?.text(at: now()) ?? ""), Run(pending.isEmpty ? "" : "\(pending)   "),
            Run(state.motion.nextStep == nil ? "" : " playing ", theme.badge),
            Run("   #\(session.database.reader.snapshot) ", theme.secondary),
        ]
    }

    private var hint: Line {
        guard state.focus == .list else {
            return state.keys.settings.hintLine(
                [.previousSetting, .settingUp, .addGroup, .undo, .cancel, .help, .quit], width: size.width, theme: theme
            )
        }
        let waiting: [Action] =
            !session.collected.isEmpty || !session.held.isEmpty
            ? [.commit, .undo] : session.isHoldingForeign ? [.commit] : []
        let travel: [Action] =
            (session.position < session.steps.count ? [.forward] : []) + (session.position > 0 ? [.back] : [])
        let edits: [Action] =
            stage.table.table.selection == nil
            ? [.next, .insertAfter, .storm] : [.insertAfter, .delete, .moveUp, .moveDown, .changeText, .storm]
        return state.keys.list.hintLine(
            waiting + [.help, .quit] + travel + edits + [.gallery, .focusNext, .slower, .sideBySide], width: size.width,
            theme: theme)
    }
}
