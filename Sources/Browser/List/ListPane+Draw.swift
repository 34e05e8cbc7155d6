import FileReading
import ScreenPrograms

extension ListPane {
    /// The minimum height with a line for the names of the columns.
    private static let leastHeightWithHeader = 8

    /// Returns the area of the rows, below the lines above them.
    func tableArea(in area: Rect) -> Rect { area.splitTop(headLines(area)).rest }

    func draw(into grid: inout Grid, in area: Rect, at time: Double) {
        let (head, rest) = area.splitTop(headLines(area))
        grid.fill(head)
        drawTitle(into: &grid, in: head)
        var y = head.y + 1
        if selection.range != .all, y < head.maxY {
            drawRangeBar(into: &grid, in: Rect(x: head.x, y: y, width: head.width, height: 1))
            y += 1
        }
        if y < head.maxY, let rows {
            let line = Rect(x: head.x + 1, y: y, width: head.width - 2, height: 1)
            grid.draw(
                rows.columns.header(width: line.width, theme: theme), x: line.x, y: y, in: line, level: theme.unicode)
        }
        guard let failure else { return table.draw(into: &grid, in: rest, at: time) }
        grid.fill(rest)
        let lines = TextMeasure(theme.unicode).wrapped(failure, width: max(1, rest.width - 4), maxLines: rest.height)
        for (index, line) in lines.enumerated() {
            grid.draw(line, theme.secondary, x: rest.x + 2, y: rest.y + 1 + index, in: rest, level: theme.unicode)
        }
    }

    /// Returns the column whose name is at a place of the screen; nil elsewhere.
    func column(atX x: Int, y: Int, in area: Rect) -> ListColumn? {
        let head = area.splitTop(headLines(area)).top
        guard let rows, area.height >= Self.leastHeightWithHeader, y == head.maxY - 1, head.contains(x: x, y: y) else {
            return nil
        }
        return rows.columns.column(atX: x - head.x - 1, width: head.width - 2)
    }

    private func headLines(_ area: Rect) -> Int {
        let range = selection.range == .all ? 0 : 1
        let names = area.height >= Self.leastHeightWithHeader && rows != nil ? 1 : 0
        return area.height > 3 ? 1 + range + names : 0
    }

    private func drawTitle(into grid: inout Grid, in head: Rect) {
        guard head.height > 0, let subject else { return }
        let line = Rect(x: head.x, y: head.y, width: head.width, height: 1)
        let measure = TextMeasure(theme.unicode)
        let path = subject.path.joined(separator: " · ")
        let status = status(measure, of: path, width: line.width)
        let (start, end) = line.splitLeft(line.width - measure.width(of: status) - 1)
        let style = table.isFocused ? Style(theme.accent, on: .terminal, .bold) : theme.header
        let title = measure.truncated(path, to: start.width - 2)
        grid.draw([Run(" "), Run(title, style)], x: start.x, y: start.y, in: start, level: theme.unicode)
        grid.draw(status, theme.secondary, x: end.x, y: end.y, in: end, level: theme.unicode)
    }

    /// What is left of a title at least, if the status is long.
    private static let leastTitle = 8

    /// Returns the order, the filter, where one is and how many rows there are; of a long filter its beginning. Where
    /// one is gives way to all others.
    private func status(_ measure: TextMeasure, of path: String, width: Int) -> String {
        guard let content else { return isReading ? "reading…" : "" }
        let known = content.groups.compactMap { content.sources[$0]?.count }
        let count = RowCount(known.reduce(0) { $0 + $1.known }, isComplete: known.allSatisfy(\.isComplete))
        let rows = "\(shownOf(count))\(count) \(count.known == 1 ? "row" : "rows")"
        let order = [
            search.map { SearchPattern.sign(isFilter: $0.isFilter, isKeysOnly: $0.isKeysOnly) + $0.pattern } ?? "",
            selection.isReversed ? "reversed" : "",
            order?.words ?? subject?.orderName ?? "", whole == nil ? "" : "the end",
        ].filter { !$0.isEmpty }
        let separator = " · "
        let title = measure.width(of: path)
        let all = (order + [place(isCounted: count.isComplete), rows].compactMap(\.self)).joined(separator: separator)
        if title + measure.width(of: all) + 3 <= width { return all }
        let room = width - 3 - min(title, Self.leastTitle) - measure.width(of: separator + rows)
        let words = measure.truncated(order.joined(separator: separator), to: max(0, room))
        return [words, rows].filter { !$0.isEmpty }.joined(separator: separator)
    }

    /// The number of the selected row, as `:` takes it, while the keys move in the list; nil while rows before it are
    /// not counted.
    private func place(isCounted: Bool) -> String? {
        isCounted || beginsWithFirstRow ? table.place("row") : nil
    }

    /// Whether the first row on the screen is the first one of the list, however many there are.
    private var beginsWithFirstRow: Bool {
        if case .last = selection.range { return false }
        return whole == nil && !selection.isReversed
    }

    /// How many rows a range shows, before how many there are.
    private func shownOf(_ count: RowCount) -> String {
        guard selection.range != .all, let rows else { return "" }
        let shown = rows.list.mappings.numberOfItemsInAllGroups
        return shown == count.known && count.isComplete ? "all " : "\(RowCount(shown)) of "
    }

    /// Draws how much of the list is shown and at which end: `last 50 ▂▂▂▂▂▂█`.
    private func drawRangeBar(into grid: inout Grid, in line: Rect) {
        let words = selection.range.words
        grid.draw(" " + words + " ", theme.secondary, x: line.x, y: line.y, in: line, level: theme.unicode)
        let bar = line.splitLeft(TextMeasure(theme.unicode).width(of: words) + 2).rest
        guard let rows, bar.width > 2, let group = rows.list.content.groups.first else { return }
        let position = rows.list.mappings.rangePosition(forGroup: group)
        let all = max(1, position.offsetFromBeginning + position.length + position.offsetFromEnd)
        // The range is given and drawn in the order of the list.
        let before = selection.isReversed ? position.offsetFromEnd : position.offsetFromBeginning
        let width = bar.width - 1
        let start = min(width - 1, width * before / all)
        let end = max(start + 1, (width * (before + position.length) + all - 1) / all)
        let ascii = theme.unicode == .ascii
        let base = Rect(x: bar.x, y: bar.y, width: width, height: 1)
        grid.fill(base, with: Grid.Cell(ascii ? "_" : "▂", theme.rule))
        let part = Rect(x: bar.x + start, y: bar.y, width: min(width, end) - start, height: 1)
        grid.fill(part, with: Grid.Cell(ascii ? "#" : "█", Style(theme.accent)))
    }
}

extension RowSelection.Range {
    var words: String {
        switch self {
        case .all: "all"
        case .first(let count): "first \(RowCount(count))"
        case .last(let count): "last \(RowCount(count))"
        }
    }
}

extension ListSubject {
    /// The list's position in the file, from the outside in.
    var path: [String] {
        switch self {
        case .view(let view, let groups?) where groups.count == 1: [view, groups[0].isEmpty ? "(no name)" : groups[0]]
        case .view(let view, let groups?): [view, "\(groups.count) groups"]
        case .index(let name, let column?): [name, "by \(column)"]
        case .fullText(let name, let query?): [name, query]
        case .collection(let name, _) where name.bytes.isEmpty: ["(no name)"]
        default: [title]
        }
    }

    /// The order of the rows, if there is a choice and it is not the default.
    var orderName: String? {
        if case .collection(_, .rowid) = self { "as stored" } else { nil }
    }
}
