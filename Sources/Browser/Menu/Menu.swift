import ScreenPrograms

/// A short list of choices, in a box above the screen.
struct Menu: Hashable, Sendable {
    struct Choice: Hashable, Sendable {
        var title: String
        var detail = ""
        /// Whether it is chosen at present.
        var isOn = false
    }

    enum Response: Hashable, Sendable {
        /// The user took the choice at an index.
        case chosen(Int)
        case closed
        case nothing
    }

    let title: String
    /// Whether several may be on at once; choosing one then does not close the menu.
    let isMultiple: Bool
    var choices: [Choice]
    private(set) var selected: Int

    init(_ title: String, _ choices: [Choice], isMultiple: Bool = false) {
        self.title = title
        self.choices = choices
        self.isMultiple = isMultiple
        selected = choices.firstIndex(where: \.isOn) ?? 0
    }

    mutating func handle(_ action: Action, count: Int? = nil) -> Response {
        switch action {
        case .open, .fold, .goIn: return choices.isEmpty ? .closed : .chosen(selected)
        case .cancel, .goOut, .quit: return .closed
        default: break
        }
        switch TableCommand(action, count: count) {
        case .selectNext(let rows), .scroll(let rows): move(by: rows)
        case .selectPrevious(let rows): move(by: -rows)
        case .selectFirst, .pageUp, .halfPageUp: selected = 0
        case .selectLast, .pageDown, .halfPageDown: selected = max(0, choices.count - 1)
        case .selectNumber(let number): selected = min(max(0, number - 1), max(0, choices.count - 1))
        default: return .nothing
        }
        return .nothing
    }

    /// Handles a click at a position of the screen.
    mutating func click(x: Int, y: Int, in screen: Rect, theme: Theme) -> Response {
        let box = overlay(in: screen, theme: theme).rect(in: screen, theme: theme)
        guard box.contains(x: x, y: y) else { return .closed }
        let index = y - box.y - 1 + overlay(in: screen, theme: theme).offset
        guard y > box.y, y < box.maxY - 1, choices.indices.contains(index) else { return .nothing }
        selected = index
        return .chosen(index)
    }

    func draw(into grid: inout Grid, in screen: Rect, theme: Theme) {
        overlay(in: screen, theme: theme).draw(into: &grid, in: screen, theme: theme)
    }

    private mutating func move(by rows: Int) {
        selected = min(max(0, selected + rows), max(0, choices.count - 1))
    }

    private func overlay(in screen: Rect, theme: Theme) -> Overlay {
        let measure = TextMeasure(theme.unicode)
        let width = choices.map { measure.width(of: $0.title, limit: 40) }.max() ?? 0
        var overlay = Overlay(title, choices.indices.map { line($0, width: width, measure, theme) })
        let shown = max(1, overlay.rect(in: screen, theme: theme).height - 2)
        overlay.scroll(by: max(0, selected - shown / 2), in: screen, theme: theme)
        return overlay
    }

    private func line(_ index: Int, width: Int, _ measure: TextMeasure, _ theme: Theme) -> Line {
        let choice = choices[index]
        let bar = index == selected ? String(theme.selectionSymbol) : " "
        let sign =
            isMultiple ? (choice.isOn ? "[x] " : "[ ] ") : choice.isOn ? (theme.unicode == .ascii ? "* " : "● ") : "  "
        let style = index == selected ? theme.selected(theme.header, focused: true) : .plain
        return [
            Run(bar, theme.selectionBar(focused: true)), Run(sign, Style(theme.accent)),
            Run(measure.padded(choice.title, to: width), style),
            Run(choice.detail.isEmpty ? "" : "   " + choice.detail, theme.secondary),
        ]
    }
}
