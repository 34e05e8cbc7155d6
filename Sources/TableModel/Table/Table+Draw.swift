import ListChanges

extension Table {
    /// Draws the visible items at a time. A function of the table and the time: it changes nothing and calls no source.
    ///
    /// The rectangle should have the table's size; what does not fit is not drawn.
    ///
    /// O(visible lines).
    ///
    /// ```swift
    /// var grid = Grid(width: table.width, height: table.height)
    /// table.draw(into: &grid, in: Rect(x: 0, y: 0, width: table.width, height: table.height), at: now)
    /// ```
    ///
    /// - Parameters:
    ///   - grid: what is drawn into.
    ///   - rect: the rectangle to draw in.
    ///   - time: seconds of any monotonic clock.
    public func draw(into grid: inout Grid, in rect: Rect, at time: Double) {
        if let progress { return draw(progress, into: &grid, in: rect) }
        if items.isEmpty, !leaving.contains(where: { $0.alpha(at: time) > 0 }) {
            return drawEmpty(into: &grid, in: rect)
        }
        fillUncovered(&grid, in: rect, at: time)
        for layer in [Motion.Layer.ghost, .appearing, .resting, .travelling] {
            for index in leaving.indices where leaving[index].layer(at: time) == layer {
                draw(leaving, index, into: &grid, in: rect, at: time)
            }
            for index in items.indices where items[index].layer(at: time) == layer {
                draw(items, index, into: &grid, in: rect, at: time)
            }
        }
        if let sticky { draw([sticky], 0, into: &grid, in: rect, at: time) }
        if options.hasScrollBar { drawScrollBar(into: &grid, in: rect) }
        if newBelow > 0 { drawNewBelow(into: &grid, in: rect) }
    }

    /// Draws one of the items; by its index, because a copy of an item counts all that it refers to.
    private func draw(
        _ items: [Item], _ item: Int, into grid: inout Grid, in rect: Rect, at time: Double
    ) {
        let alpha = items[item].alpha(at: time)
        let y = items[item].y(at: time)
        guard alpha > 0, y < height, y + items[item].height > 0 else { return }
        let isSelected = selectedPath.map { items[item].place == .row($0) } ?? false && !items[item].isGhost
        let look = RowLook(
            theme: options.theme, alpha: alpha, tint: items[item].motion?.tint, time: time, isSelected: isSelected,
            isFocused: isFocused)
        let gutter = options.hasGutter ? 1 : 0
        for index in items[item].picture.lines.indices where y + index >= 0 && y + index < rect.height {
            let row = rect.y + y + index
            let marked = look.isSelected && index >= items[item].picture.decorations
            let isPlain = look.isPlain && !marked
            if gutter > 0 {
                let cell = Rect(x: rect.x, y: row, width: 1, height: 1).intersection(rect)
                grid.fill(cell, with: isPlain ? .blank : look.gutter(marked: marked))
            }
            let (line, x) = (items[item].picture.lines[index], rect.x + gutter)
            if isPlain {
                grid.copy(line, x: x, y: row, in: rect)
            } else {
                grid.copy(line, x: x, y: row, in: rect) { look.style($0, marked: marked) }
            }
            for link in items[item].picture.links[index] ?? [] { grid.add(link, x: x, y: row, in: rect) }
        }
    }

    /// Blanks the lines that no row covers from edge to edge, and the column of the scroll bar.
    private func fillUncovered(_ grid: inout Grid, in rect: Rect, at time: Double) {
        var covered = Array(repeating: false, count: rect.height)
        for index in items.indices where items[index].isAtRest(at: time) {
            let (top, bottom) = (max(0, items[index].y), min(rect.height, items[index].bottom))
            for line in top..<max(top, bottom) { covered[line] = true }
        }
        let cellsEnd = layoutWidth
        for line in covered.indices {
            let start = covered[line] ? min(cellsEnd, rect.width) : 0
            grid.fill(Rect(x: rect.x + start, y: rect.y + line, width: rect.width - start, height: 1))
        }
    }

    /// The number of columns that rows cover, including their gutter.
    private var layoutWidth: Int { (items.first?.picture.lines.first?.count ?? 0) + (options.hasGutter ? 1 : 0) }

    private func drawEmpty(into grid: inout Grid, in rect: Rect) {
        grid.fill(rect)
        drawCentered(options.emptyText, options.theme.secondary, line: rect.height / 3, into: &grid, in: rect)
    }

    private func draw(_ progress: Progress, into grid: inout Grid, in rect: Rect) {
        let theme = options.theme
        grid.fill(rect)
        drawCentered(progress.text, theme.secondary, line: rect.height / 3, into: &grid, in: rect)
        guard let fraction = progress.fraction else { return }
        let width = min(40, rect.width - 4)
        let filled = (Double(max(0, width)) * min(1, max(0, fraction))).nearestInt
        let bar = Rect(x: rect.x + (rect.width - width) / 2, y: rect.y + rect.height / 3 + 1, width: width, height: 1)
            .intersection(rect)
        let (done, rest) = bar.splitLeft(filled)
        grid.fill(done, with: Grid.Cell(theme.unicode == .ascii ? "#" : "█", Style(theme.accent)))
        grid.fill(rest, with: Grid.Cell(theme.unicode == .ascii ? "." : "░", theme.rule))
    }

    private func drawCentered(_ text: String, _ style: Style, line: Int, into grid: inout Grid, in rect: Rect) {
        let fitted = TextMeasure(options.theme.unicode).padded(text, to: rect.width, .center)
        grid.draw(fitted, style, x: rect.x, y: rect.y + line, in: rect, level: options.theme.unicode)
    }

    private func drawNewBelow(into grid: inout Grid, in rect: Rect) {
        let theme = options.theme
        let right = rect.maxX - (options.hasScrollBar ? 1 : 0)
        let long = " ↓ \(newBelow) new below "
        let text = long.count <= right - rect.x ? long : " ↓ \(newBelow) "
        let x = right - TextMeasure(theme.unicode).width(of: text)
        grid.draw(
            text, Style(theme.accent, on: .terminal, [.bold, .reverse]), x: x, y: rect.maxY - 1, in: rect,
            level: theme.unicode)
    }
}

/// The appearance of one row's cells at one moment.
private struct RowLook {
    let theme: Theme
    let alpha: Double
    let tint: Double
    let isUnderlined: Bool
    let isSelected: Bool
    let isFocused: Bool

    init(theme: Theme, alpha: Double, tint: Motion.Tint?, time: Double, isSelected: Bool, isFocused: Bool) {
        self.theme = theme
        self.alpha = alpha
        self.isSelected = isSelected
        self.isFocused = isFocused
        let level = tint?.level(at: time) ?? 0
        isUnderlined = tint?.kind == .underline && level > 0
        self.tint = isUnderlined ? 0 : level
    }

    func gutter(marked: Bool) -> Grid.Cell {
        guard marked else { return Grid.Cell(" ", style(.plain, marked: false) ?? .plain) }
        let bar = theme.selectionBar(focused: isFocused)
        return Grid.Cell(theme.selectionSymbol, style(bar, marked: true) ?? .plain)
    }

    /// Whether the row is drawn unchanged.
    var isPlain: Bool { alpha >= 1 && tint == 0 && !isUnderlined }

    /// Returns the style of a cell, nil if the text is invisible.
    func style(_ style: Style, marked: Bool) -> Style? {
        var style = style
        if marked { style = theme.selected(style, focused: isFocused) }
        if tint > 0 { style = theme.tinted(style, level: tint) }
        if isUnderlined { style.attributes.insert(.underline) }
        return theme.faded(style, alpha: alpha)
    }
}

extension Table {
    /// The lines that the scroll bar's thumb covers; nil when everything can be seen. O(log n).
    var thumb: Range<Int>? {
        let (shown, all) = (Double(shownLines), listLines)
        guard let top = topLine, all > shown else { return nil }
        let length = min(height, max(1, (Double(height) * shown / all).nearestInt))
        let line = (Double(height - length) * top / (all - shown)).nearestInt
        let start = min(max(0, line), height - length)
        return start..<start + length
    }

    func drawScrollBar(into grid: inout Grid, in rect: Rect) {
        guard let thumb, rect.width > 0 else { return }
        let cell = Grid.Cell(options.theme.unicode == .ascii ? "#" : "▐", options.theme.rule)
        let bar = Rect(x: rect.maxX - 1, y: rect.y + thumb.lowerBound, width: 1, height: thumb.count)
        grid.fill(bar.intersection(rect), with: cell)
    }
}
