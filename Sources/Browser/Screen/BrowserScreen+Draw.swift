import FileEngine
import FileReading
import Foundation
import ScreenPrograms

extension BrowserScreen {
    func draw() -> Grid {
        let time = state.screen.lastDrawn
        var grid = Grid(width: size.width, height: size.height)
        let layout = state.layout
        let left = status
        layout.draw(into: &grid, title: title(besides: left), status: left, hint: hint, theme: theme)
        if let area = state.area(of: .tree) { tree.table.draw(into: &grid, in: area, at: time) }
        if let area = state.area(of: .list) {
            if let pane = state.counting?.pane {
                pane.draw(into: &grid, in: area, at: time)
            } else {
                list.draw(into: &grid, in: area, at: time)
            }
        }
        if let area = state.area(of: .row) { row.draw(into: &grid, in: area, at: time) }
        state.screen.drawMessage(in: layout, notice: theme.secondary, keys: state.keys.map, into: &grid)
        drawPrompt(into: &grid, in: layout.hint)
        state.menu?.menu.draw(into: &grid, in: grid.bounds, theme: theme)
        state.screen.text?.draw(into: &grid, in: grid.bounds, theme: theme)
        return grid
    }

    /// Returns the program's name and as much of the end of the path as fits: files are recognized by the end.
    private func title(besides status: Line) -> Line {
        let measure = TextMeasure(theme.unicode)
        let room = size.width - measure.width(of: status.text) - 16
        return [
            Run(" yap browse", theme.header), Run(" · " + path(room: max(8, room), measure), theme.secondary),
        ]
    }

    private func path(room: Int, _ measure: TextMeasure) -> String {
        let path = HomePath.shortened(file.path)
        guard measure.width(of: path) > room else { return path }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        for count in stride(from: parts.count - 1, to: 0, by: -1) {
            let end = "…/" + parts.suffix(count).joined(separator: "/")
            if measure.width(of: end) <= room { return end }
        }
        return measure.truncated(parts.last.map(String.init) ?? path, to: room)
    }

    private var status: Line {
        let number = file.snapshot.number.map { " #" + RowCount($0).description } ?? ""
        let log = tree.known?.catalog.facts.logSize ?? 0
        var parts = size.width >= 60 ? ["read-only"] : []
        parts.append(state.follow.isOn ? "following\(number)" : "paused\(number)")
        if log > 0, size.width >= 80 { parts.append("WAL \(FileFacts.bytes(log))") }
        return [Run(parts.joined(separator: "   ") + " ", theme.secondary)]
    }

    private var hint: Line {
        if state.menu?.purpose == .columns { return hintLine([.narrower, .wider, .fitColumns], width: size.width) }
        if let progress = savingText ?? sortingText ?? countingByText ?? countingText ?? state.search?.progressText {
            return Line(text: " " + progress, theme.secondary)
        }
        let pending = state.strokes.pending
        let line = hintLine(hintActions, width: size.width - pending.count - 1)
        return pending.isEmpty ? line : [Run(" " + pending, Style(theme.accent))] + line
    }

    /// Returns as many of the available keys as fit; always those for help and for quitting.
    private func hintLine(_ hintActions: [Action], width: Int) -> Line {
        state.keys.map.hintLine(fitting(hintActions, width: width), width: width, theme: theme)
    }

    /// Returns the actions whose hints fit, and always those for help and for quitting.
    private func fitting(_ hintActions: [Action], width: Int) -> [Action] {
        let measure = TextMeasure(theme.unicode)
        for count in stride(from: hintActions.count, to: 0, by: -1) {
            let actions = hintActions.prefix(count) + [.help, .quit]
            let line = state.keys.map.hintLine(Array(actions), width: .max, theme: theme)
            if measure.width(of: line.text) <= width { return Array(actions) }
        }
        return [.help, .quit]
    }

    /// The action whose hint is at a column of the hint line, as it is drawn.
    func hintedAction(atColumn x: Int) -> Action? {
        guard state.menu == nil, state.strokes.pending.isEmpty, countingText ?? state.search?.progressText == nil else {
            return nil
        }
        let actions = fitting(hintActions, width: size.width - 1)
        return state.keys.map.action(atColumn: x, inHintLineOf: actions, width: size.width - 1, theme: theme)
    }

    private var hintActions: [Action] {
        switch state.focus {
        case .tree: [.next, .open, .fold, .mark, .focusNext, .follow, .space]
        case .list where state.counting != nil: [.next, .open, .cancel, .copy, .countBy]
        case .list where list.subject?.isFullText == true:
            [.next, .open, .fullText, .search, .filter, .goTo, .copy, .follow]
        case .list where state.search != nil:
            [.next, .open, .searchNext, .searchPrevious, .cancel, .search, .filter, .reverse, .columns, .copy]
        case .list:
            [
                .next, .open, .search, .filter, .reverse, .range, .columns, .sortAscending, .sortDescending, .countBy,
                .save, .goTo, .sort, .copy, .follow,
            ]
        case .row: [.next, .open, .raw, .copy, .goOut, .decoder, .copyPath, .save, .openOutside, .seeImage]
        }
    }
}

extension RowPane {
    func draw(into grid: inout Grid, in area: Rect, at time: Double) {
        let (head, rest) = area.splitTop(1)
        let theme = table.options.theme
        grid.fill(head)
        let measure = TextMeasure(theme.unicode)
        let bytes = loaded.map { ($0.row.object?.size ?? 0) + ($0.row.metadata?.size ?? 0) } ?? 0
        let size = bytes > 0 ? FileFacts.bytes(bytes) : ""
        let (start, end) = head.splitLeft(head.width - measure.width(of: size) - 1)
        let style = table.isFocused ? Style(theme.accent, on: .terminal, .bold) : theme.header
        let title = measure.truncatedInMiddle(loaded?.title.asName ?? "", to: max(0, start.width - 2))
        grid.draw([Run(" "), Run(title, style)], x: start.x, y: start.y, in: start, level: theme.unicode)
        grid.draw(size, theme.secondary, x: end.x, y: end.y, in: end, level: theme.unicode)
        table.draw(into: &grid, in: rest, at: time)
    }
}

extension RowDetails {
    var title: String { row.address?.words ?? "row \(row.rowid)" }
}

/// Paths as people write them.
enum HomePath {
    /// `~/backup/app.sqlite`
    static func shortened(_ path: String) -> String {
        let home = homeFolder.path
        guard home.count > 1, path.hasPrefix(home + "/") else { return path }
        return "~" + path.dropFirst(home.count)
    }
}
