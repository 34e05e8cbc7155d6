/// Lines in a box above the screen: the help, or a question.
public struct Overlay: Hashable, Sendable {
    /// The text in the upper edge of the box.
    public var title: String
    /// The text in the box.
    public var lines: [Line] { didSet { folded = nil } }
    /// The lines as they fit into a screen, where some are folded.
    private var folded: [Line]?
    /// The first visible line, if not all fit.
    public private(set) var offset = 0
    /// The search in the lines, until the box is closed.
    var search: LineSearch?

    /// Creates a box that shows its lines from the first on.
    /// - Parameters:
    ///   - title: the text in the upper edge.
    ///   - lines: the lines, from the first to the last.
    public init(_ title: String, _ lines: [Line]) {
        self.title = title
        self.lines = lines
    }

    /// The lines of the box, some of them folded.
    var shown: [Line] { folded ?? lines }

    /// Folds the lines that are wider than a screen has room for. Call it again when the screen has another size.
    ///
    /// What continues a line stands below the beginning of its last run: the explanation of a key below the explanation.
    ///
    /// - Parameters:
    ///   - screen: the rectangle of the screen.
    ///   - theme: the colours and symbols.
    public mutating func fold(in screen: Rect, theme: Theme) {
        let (measure, width) = (TextMeasure(theme.unicode), max(1, screen.width - 4))
        let isWide = lines.contains { measure.width(of: $0.text, limit: width + 1) > width }
        folded = isWide ? lines.flatMap { $0.folded(to: width, measure) } : nil
        scroll(by: 0, in: screen, theme: theme)
    }

    /// Returns the box in the middle of a screen, as large as its lines need and the screen allows.
    /// - Parameters:
    ///   - screen: the rectangle of the screen.
    ///   - theme: the colours and symbols.
    public func rect(in screen: Rect, theme: Theme) -> Rect {
        let measure = TextMeasure(theme.unicode)
        let widest = shown.reduce(measure.width(of: title) + 2) {
            max($0, measure.width(of: $1.text, limit: screen.width))
        }
        let width = min(screen.width, widest + 4)
        let height = min(screen.height, shown.count + 2)
        return Rect(
            x: screen.x + (screen.width - width) / 2, y: screen.y + (screen.height - height) / 2, width: width,
            height: height)
    }

    /// Whether there are more lines than fit.
    /// - Parameters:
    ///   - screen: the rectangle of the screen.
    ///   - theme: the colours and symbols.
    public func canScroll(in screen: Rect, theme: Theme) -> Bool {
        shown.count > max(0, rect(in: screen, theme: theme).height - 2)
    }

    /// Scrolls by a number of lines, within the text.
    /// - Parameters:
    ///   - count: lines; negative for up.
    ///   - screen: the rectangle of the screen.
    ///   - theme: the colours and symbols.
    public mutating func scroll(by count: Int, in screen: Rect, theme: Theme) {
        let height = max(0, rect(in: screen, theme: theme).height - 2)
        offset = min(max(0, offset + count), max(0, shown.count - height))
    }

    /// Scrolls as a table would. Returns false for any other command; most programs then close the overlay.
    /// - Parameters:
    ///   - command: what to do.
    ///   - screen: the rectangle of the screen.
    ///   - theme: the colours and symbols.
    public mutating func perform(_ command: TableCommand, in screen: Rect, theme: Theme) -> Bool {
        let page = max(1, rect(in: screen, theme: theme).height - 3)
        let count =
            switch command {
            case .selectNext(let lines), .scroll(let lines): lines
            case .selectPrevious(let lines): -lines
            case .pageDown(let pages): pages * page
            case .pageUp(let pages): -pages * page
            case .halfPageDown(let pages): pages * page / 2
            case .halfPageUp(let pages): -pages * page / 2
            case .selectFirst: -shown.count
            case .selectLast: shown.count
            case .selectNumber, .center, .click, .dragScrollBar: 0
            }
        if count != 0 { scroll(by: count, in: screen, theme: theme) }
        return count != 0
    }

    /// Draws the box over the middle of a screen; nothing on a screen without room for a line.
    /// - Parameters:
    ///   - grid: what is drawn into.
    ///   - screen: the rectangle of the screen.
    ///   - theme: the colours and symbols.
    public func draw(into grid: inout Grid, in screen: Rect, theme: Theme) {
        let box = rect(in: screen, theme: theme)
        guard box.width > 4, box.height > 2 else { return }
        grid.fill(box)
        drawFrame(box, into: &grid, theme: theme)
        let inner = Rect(x: box.x + 2, y: box.y + 1, width: box.width - 4, height: box.height - 2)
        for (index, line) in shown.dropFirst(offset).prefix(inner.height).enumerated() {
            grid.draw(line, x: inner.x, y: inner.y + index, in: inner, level: theme.unicode)
        }
        if let found = search?.found, (offset..<offset + inner.height).contains(found) {
            let bar = Grid.Cell(theme.selectionSymbol, theme.selectionBar(focused: true))
            grid.fill(Rect(x: inner.x - 1, y: inner.y + found - offset, width: 1, height: 1), with: bar)
        }
        drawMore(inner, box, into: &grid, theme: theme)
    }

    private func drawFrame(_ box: Rect, into grid: inout Grid, theme: Theme) {
        let ascii = theme.unicode == .ascii
        let bottom = box.maxY - 1
        let right = box.maxX - 1
        grid.horizontalRule(box, theme.rule, level: theme.unicode)
        grid.horizontalRule(
            Rect(x: box.x, y: bottom, width: box.width, height: 1), theme.rule, level: theme.unicode)
        grid.verticalRule(box, theme.rule, level: theme.unicode)
        grid.verticalRule(
            Rect(x: right, y: box.y, width: 1, height: box.height), theme.rule, level: theme.unicode)
        let corners = ascii ? ["+", "+", "+", "+"] : ["┌", "┐", "└", "┘"]
        let places = [(box.x, box.y), (right, box.y), (box.x, bottom), (right, bottom)]
        for (corner, place) in zip(corners, places) {
            grid.draw(corner, theme.rule, x: place.0, y: place.1, level: theme.unicode)
        }
        let top = Rect(x: box.x + 1, y: box.y, width: box.width - 2, height: 1)
        grid.draw(" \(title) ", Style(.terminal, .bold), x: top.x + 1, y: top.y, in: top, level: theme.unicode)
    }

    /// Draws what is searched for, which lines are visible, if not all are, and the keys of the box.
    private func drawMore(_ inner: Rect, _ box: Rect, into grid: inout Grid, theme: Theme) {
        let bottom = Rect(x: box.x + 2, y: box.maxY - 1, width: box.width - 4, height: 1)
        let missing = search.map { $0.found == nil && !$0.pattern.isEmpty } == true ? " not found " : ""
        if let search, search.isTyped {
            let hasRoom = bottom.width >= 2 * missing.count
            let (line, end) = bottom.splitLeft(hasRoom ? bottom.width - missing.count : bottom.width)
            search.prompt.draw(into: &grid, in: line, theme: theme)
            grid.draw(missing, theme.wrong, x: end.x, y: end.y, in: end, level: theme.unicode)
            return
        }
        let isCut = shown.count > inner.height
        let pattern = search.map { " /\($0.pattern) \(missing)" } ?? ""
        let place = isCut ? " \(offset + 1)-\(offset + inner.height) of \(shown.count) " : ""
        let end = grid.draw(
            [Run(place, theme.secondary), Run(pattern, theme.secondary)], x: bottom.x, y: bottom.y, in: bottom,
            level: theme.unicode)
        let keys = [isCut ? " / find   Esc " : " Esc ", " Esc "]
        guard let keys = keys.first(where: { end - bottom.x + $0.count + 2 <= bottom.width }) else { return }
        grid.draw(keys, theme.secondary, x: bottom.maxX - keys.count, y: bottom.y, in: bottom, level: theme.unicode)
    }
}

extension Array where Element == Run {
    /// The line as several, of which the last run is folded; the line alone if it fits, or if no room is left for that run.
    fileprivate func folded(to width: Int, _ measure: TextMeasure) -> [Line] {
        guard let last, measure.width(of: text, limit: width + 1) > width else { return [self] }
        let blanks = last.text.prefix { $0 == " " }
        let indent = measure.width(of: Array(dropLast()).text, limit: width) + blanks.count
        guard indent <= width / 2 else { return [self] }
        let rest = measure.wrapped(String(last.text.dropFirst(blanks.count)), width: width - indent)
        return rest.enumerated().map { number, text in
            number == 0
                ? dropLast() + [Run(blanks + text, last.style)]
                : [Run(String(repeating: " ", count: indent) + text, last.style)]
        }
    }
}
