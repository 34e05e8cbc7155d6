import FileReading
import ScreenPrograms

extension DiffScreen {
    func draw() -> Grid {
        let time = state.screen.lastDrawn
        var grid = Grid(width: size.width, height: size.height)
        let layout = state.layout
        let status = Line(text: statusText + " ", theme.secondary)
        layout.draw(into: &grid, title: title(besides: status), status: status, hint: hint, theme: theme)
        if let area = state.area(of: .list) { drawList(into: &grid, in: area, at: time) }
        if let area = state.area(of: .details) { panel.draw(into: &grid, in: area, at: time) }
        state.screen.drawMessage(in: layout, notice: theme.secondary, keys: state.keys.map, into: &grid)
        state.prompt?.draw(into: &grid, in: layout.hint, theme: theme)
        state.screen.text?.draw(into: &grid, in: grid.bounds, theme: theme)
        return grid
    }

    /// Both names, shortened in the middle: their ends tell them apart.
    private func title(besides status: Line) -> Line {
        let measure = TextMeasure(theme.unicode)
        let room = max(8, (size.width - measure.width(of: status.text) - 18) / 2)
        let names = [names.first, names.second].map { name in
            let short = HomePath.shortened(name)
            return measure.width(of: short) > room
                ? measure.truncated(String(short.split(separator: "/").last ?? ""), to: room) : short
        }
        return [
            Run(" yap diff", theme.header), Run(" · ", theme.secondary), Run(names[0], theme.removed),
            Run(" → ", theme.secondary), Run(names[1], theme.added),
        ]
    }

    private var statusText: String {
        var parts = ChangeKind.allCases.compactMap { kind in
            state.progress.counts[kind].map { "\(RowCount($0)) \(kind.word)" }
        }
        if let equal = state.progress.equal {
            parts.append("\(RowCount(equal)) equal")
        } else if state.progress.isOver {
            parts.append("stopped")
        }
        return parts.joined(separator: " · ")
    }

    private static let listTitle = "Changes"

    private func drawList(into grid: inout Grid, in area: Rect, at time: Double) {
        let (head, rest) = area.splitTop(1)
        grid.fill(head)
        let measure = TextMeasure(theme.unicode)
        let count = RowCount(source.sections.count, isComplete: state.progress.isOver && taken == store.count)
        let filters =
            state.filter.kinds.map { "only \($0.word)" }
            + (state.filter.pattern.isEmpty ? [] : ["&\(state.filter.pattern)"])
            + (state.searched.map { ["/\($0)"] } ?? [])
        let changes = ["\(count) \(count.known == 1 ? "change" : "changes")"]
        // Where one is gives way to the name and the filters.
        let room = head.width - measure.width(of: Self.listTitle) - 3
        let all = (filters + [table.place("change")].compactMap(\.self) + changes).joined(separator: " · ")
        let status = measure.width(of: all) <= room ? all : (filters + changes).joined(separator: " · ")
        let (start, end) = head.splitLeft(max(0, head.width - measure.width(of: status) - 1))
        let style = table.isFocused ? Style(theme.accent, on: .terminal, .bold) : theme.header
        grid.draw([Run(" "), Run(Self.listTitle, style)], x: start.x, y: start.y, in: start, level: theme.unicode)
        grid.draw(status, theme.secondary, x: end.x, y: end.y, in: end, level: theme.unicode)
        table.draw(into: &grid, in: rest, at: time)
    }

    private var hint: Line {
        if !state.progress.isOver {
            return Line(
                text: " comparing: \(RowCount(state.progress.compared)) rows, \(RowCount(state.progress.found)) "
                    + "differences so far   Esc stops", theme.secondary)
        }
        let filtering =
            state.isFiltering
            ? "filtering: \(RowCount(source.sections.count)) of \(RowCount(taken)) match   Esc stops" : nil
        if let working = state.working ?? filtering { return Line(text: " " + working, theme.secondary) }
        let actions: [Action] =
            state.focus == .list
            ? [.next, .open, .search, .filter, .onlyNew, .onlyGone, .onlyChanged, .onlyInViews, .copy]
            : [.next, .goOut, .copy, .copyPath]
        return state.keys.map.hintLine(showing: actions, width: size.width, theme: theme)
    }
}

extension KeyMap {
    /// Returns as many of the available keys as fit; always those for help and for quitting.
    fileprivate func hintLine(showing actions: [Action], width: Int, theme: Theme) -> Line {
        let measure = TextMeasure(theme.unicode)
        for count in stride(from: actions.count, to: 0, by: -1) {
            let line = hintLine(Array(actions.prefix(count)) + [.help, .quit], width: .max, theme: theme)
            if measure.width(of: line.text) <= width { return line }
        }
        return hintLine([.help, .quit], width: width, theme: theme)
    }
}
