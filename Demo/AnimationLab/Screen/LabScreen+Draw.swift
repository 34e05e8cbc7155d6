import Foundation
import LiveTable

extension LabScreen {
    private static let leastTable = 28
    private static let leastPanel = 40
    private static let leastHeightWithStrip = 6

    private var layout: ScreenLayout { layout(focus: focus) }

    private func layout(focus: Focus) -> ScreenLayout {
        // Two tables side by side take room from the panel.
        let room = max(Self.leastTable, size.width - Self.leastPanel - 1)
        let table = beside != .nothing ? min(2 * Self.leastTable + 1, room) : Self.leastTable
        return ScreenLayout(
            width: size.width, height: size.height,
            panes: [.init(least: table, share: 1), .init(least: Self.leastPanel, share: 2)],
            focused: focus == .list ? 0 : 1)
    }

    /// The area of the list. A list without room gets the area that it would have with the focus, so that it is
    /// followed. If the panel does not fit beside the list, the change-set is below it.
    var listPane: Rect {
        let layout = isListShown ? layout : layout(focus: .list)
        return layout.panes[0].splitBottom(stripHeight(layout)).rest
    }
    var stripArea: Rect { layout.panes[0].splitBottom(stripHeight(layout)).bottom.splitLeft(1).rest }
    var isListShown: Bool { !layout.panes[0].isEmpty }
    private func stripHeight(_ layout: ScreenLayout) -> Int {
        let (list, panel) = (layout.panes[0], layout.panes[1])
        return panel.isEmpty && list.height >= Self.leastHeightWithStrip ? list.height / 2 : 0
    }
    /// The panel begins one column after the rule.
    var panelArea: Rect { layout.panes[1].splitLeft(1).rest }

    /// The area of the animated table: with two tables the left half, below a line with their titles.
    var tableArea: Rect { beside != .nothing ? listPane.splitTop(1).rest.splitLeft(halfWidth).left : listPane }
    var besideArea: Rect { listPane.splitTop(1).rest.splitLeft(listPane.width - halfWidth).rest }
    /// Three columns between the tables mark differences.
    private var halfWidth: Int { max(1, (listPane.width - 3) / 2) }

    /// Sets the areas of the tables, after a change of size or focus.
    func layOut() throws {
        for (list, area) in [(stage.table, tableArea), (stage.plain, besideArea)] where !area.isEmpty {
            try list.update { table, source in
                table.resize(width: area.width, height: area.height, source: source, at: time)
            }
        }
        stage.table.update { $0.isFocused = focus == .list }
        stage.plain.update { $0.isFocused = false }
    }

    func draw(_ moment: Double) -> Grid {
        let start = ContinuousClock.now
        lastDrawn = moment
        var grid = Grid(width: size.width, height: size.height)
        layout.draw(into: &grid, title: title, status: status, hint: hint, theme: theme)
        if isListShown { stage.table.table.draw(into: &grid, in: tableArea, at: clock.time(at: moment)) }
        if isListShown, beside != .nothing { drawBeside(into: &grid, at: moment) }
        for (y, line) in panelLines.enumerated() {
            grid.draw(line, x: panelArea.x, y: panelArea.y + y, in: panelArea, level: theme.unicode)
        }
        if !stripArea.isEmpty {
            for (y, line) in stripLines.enumerated() {
                grid.draw(line, x: stripArea.x, y: stripArea.y + y, in: stripArea, level: theme.unicode)
            }
        }
        if let message {
            let isWrong = if case .failure = message { true } else { false }
            let opens = keys.list[.message]?.keys.first.map { KeyMap.name($0) } ?? ""
            layout.drawMessage(
                message.text, isWrong ? theme.wrong : .plain, remedy: "\(opens) shows all", into: &grid,
                theme: theme)
        }
        if let prompt {
            prompt.field.draw(
                into: &grid, in: layout.hint, prompt: Run(prompt.label, Style(theme.accent)), theme: theme,
                isFocused: true)
        }
        overlay?.draw(into: &grid, theme: theme)
        frameTime = .now - start
        return grid
    }

    // MARK: Title and hints

    private var title: Line {
        let name = stage.entry.isPlayground ? options.database?.lastPathComponent ?? "playground" : stage.entry.name
        let place = entries.count > 1 ? " \(entry + 1) of \(entries.count)" : ""
        return [Run(" yap lab", theme.header), Run(" · \(name)\(place)", theme.secondary)]
    }

    private var status: Line {
        let pending = (focus == .list ? strokes : settingStrokes).pending
        return [
            Run(workText), Run(pending.isEmpty ? "" : "\(pending)   "),
            Run(nextStep == nil ? "" : " playing ", theme.badge),
            Run("   #\(session.database.reader.snapshot) ", theme.secondary),
        ]
    }

    private var hint: Line {
        guard focus == .list else {
            return keys.settings.hintLine(
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
        return keys.list.hintLine(
            waiting + [.help, .quit] + travel + edits + [.gallery, .focusNext, .slower, .sideBySide], width: size.width,
            theme: theme)
    }
}
