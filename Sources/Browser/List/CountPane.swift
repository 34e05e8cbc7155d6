import FileReading
import ScreenPrograms

/// A table of values and how many rows have each, in place of the list.
@MainActor final class CountPane {
    /// What is counted by, as it is called.
    let title: String
    private(set) var table: Table
    private(set) var result = FieldCount.Result()
    /// Whether a key has moved the selection. Before, the first value is selected, whichever it is by then.
    private var isSelectionChosen = false

    init(_ title: String, _ options: TableOptions, size: (width: Int, height: Int), isFocused: Bool) {
        self.title = title
        table = Table(pane: options, emptyText: "No rows here")
        table.isFocused = isFocused
        table.progress = Table.Progress("counting…")
        table.resize(width: size.width, height: size.height, source: source, at: 0)
    }

    private var source: CountLines { CountLines(result: result, theme: table.options.theme) }

    func show(_ result: FieldCount.Result, at time: Double) {
        self.result = result
        if result.isOver || !result.entries.isEmpty { table.progress = nil }
        table.reload(source: source, at: time)
        if !isSelectionChosen, !result.entries.isEmpty {
            table.select(RowPath(section: 0, row: 0), source: source, at: time)
        }
        table.finishAnimation()
    }

    func resize(_ area: Rect, isFocused: Bool, at time: Double) {
        table.resize(area, isFocused: isFocused, source: source, at: time)
    }

    func perform(_ command: TableCommand, at time: Double) {
        isSelectionChosen = true
        table.perform(command, source: source, at: time)
    }

    func show(_ theme: Theme, at time: Double) {
        table.setTheme(theme, source: CountLines(result: result, theme: theme), at: time)
    }

    var selected: FieldCount.Entry? {
        guard let row = table.selectedPath?.row, result.entries.indices.contains(row) else { return nil }
        return result.entries[row]
    }

    /// Returns the area of the table, below the line with the title.
    func tableArea(in area: Rect) -> Rect { area.splitTop(1).rest }

    func draw(into grid: inout Grid, in area: Rect, at time: Double) {
        let (head, rest) = area.splitTop(1)
        let theme = table.options.theme
        let measure = TextMeasure(theme.unicode)
        grid.fill(head)
        let rows = RowCount(result.rows, isComplete: result.isOver)
        let status = "\(RowCount(result.values, isComplete: result.isOver)) values in \(rows) rows"
        let (start, end) = head.splitLeft(max(0, head.width - measure.width(of: status) - 1))
        let style = table.isFocused ? Style(theme.accent, on: .terminal, .bold) : theme.header
        let name = measure.truncated("count by \(title)", to: max(0, start.width - 2))
        grid.draw([Run(" "), Run(name, style)], x: start.x, y: start.y, in: start, level: theme.unicode)
        grid.draw(status, theme.secondary, x: end.x, y: end.y, in: end, level: theme.unicode)
        table.draw(into: &grid, in: rest, at: time)
    }
}

/// Gives a table the counted values.
struct CountLines: TableSource {
    let result: FieldCount.Result
    let theme: Theme

    private static let textLimit = 500

    var numberOfSections: Int { result.entries.isEmpty ? 0 : 1 }
    func numberOfRows(in section: Int) -> Int { result.entries.count }
    func key(at path: RowPath) -> RowKey { RowKey(collection: "", key: result.entries[path.row].value.literal) }

    func path(of key: RowKey) -> RowPath? {
        result.entries.firstIndex { $0.value.literal == key.key }.map { RowPath(section: 0, row: $0) }
    }

    /// Returns the number, its share of all rows as a bar, and the value.
    func cell(at path: RowPath, width: Int) -> RowCell {
        let entry = result.entries[path.row]
        let measure = TextMeasure(theme.unicode)
        let numberWidth = result.entries.first.map { measure.width(of: RowCount($0.count).description) } ?? 1
        let number = measure.padded(RowCount(entry.count).description, to: numberWidth, .right)
        let barWidth = width >= 40 ? 10 : 0
        let largest = max(1, result.entries.first?.count ?? 1)
        let filled = barWidth == 0 ? 0 : max(1, entry.count * barWidth / largest)
        let bar = String(repeating: theme.unicode == .ascii ? "#" : "▂", count: filled)
        let isMissing = entry.value == .null
        let text = isMissing ? "missing" : String(entry.value.text.prefix(Self.textLimit))
        let room = max(0, width - numberWidth - 2 - (barWidth > 0 ? barWidth + 2 : 0))
        var line: Line = [Run(number + "  ")]
        if barWidth > 0 { line.append(Run(measure.padded(bar, to: barWidth) + "  ", Style(theme.accent))) }
        line.append(Run(measure.truncated(text, to: room), isMissing ? theme.secondary : .plain))
        return RowCell([line])
    }
}
