/// The parts of a screen: a title line, panes side by side with one thin rule between them, a hint line.
public struct ScreenLayout: Hashable, Sendable {
    /// The width that a pane requests.
    public struct Pane: Hashable, Sendable {
        /// Its minimum width: a narrower pane is left out unless it has the focus.
        public var least: Int
        /// Its share of the width left after every pane has its minimum.
        public var share: Int

        /// Creates the request of a pane. Both numbers are columns.
        /// - Parameters:
        ///   - least: the minimum width in columns.
        ///   - share: the share of the width that is left.
        public init(least: Int, share: Int = 0) {
            self.least = least
            self.share = share
        }
    }

    /// The first line; empty on a screen of less than four lines.
    public let title: Rect
    /// The last line; empty on a screen of less than three lines.
    public let hint: Rect
    /// The rectangle of each pane; empty for a pane without room.
    public let panes: [Rect]
    /// The rules above and below the panes; empty on a screen too low for them.
    let rules: [Rect]
    /// The rules between the panes.
    let dividers: [Rect]

    /// The minimum height of a screen with horizontal rules.
    static let leastHeightWithRules = 10

    /// Divides a screen of so many columns and lines among panes. The pane with the number `focused` always has room.
    /// - Parameters:
    ///   - width: columns.
    ///   - height: lines.
    ///   - panes: what each pane wants, from left to right.
    ///   - focused: the number of the pane that always has room.
    public init(width: Int, height: Int, panes: [Pane], focused: Int = 0) {
        let whole = Rect(x: 0, y: 0, width: width, height: height)
        let hasRules = height >= Self.leastHeightWithRules
        let (title, belowTitle) = whole.splitTop(height > 3 ? 1 : 0)
        let (aboveHint, hint) = belowTitle.splitBottom(height > 2 ? 1 : 0)
        let (top, rest) = aboveHint.splitTop(hasRules ? 1 : 0)
        let (content, bottom) = rest.splitBottom(hasRules ? 1 : 0)
        self.title = title
        self.hint = hint
        rules = hasRules ? [top, bottom] : []
        let widths = Self.widths(of: panes, in: width, focused: focused)
        var rects: [Rect] = []
        var dividers: [Rect] = []
        var remaining = content
        for width in widths {
            if width > 0, remaining.x > content.x {
                let (divider, behind) = remaining.splitLeft(1)
                dividers.append(divider)
                remaining = behind
            }
            let (pane, behind) = remaining.splitLeft(width)
            rects.append(width > 0 ? pane : Rect(x: remaining.x, y: content.y, width: 0, height: 0))
            remaining = behind
        }
        self.panes = rects
        self.dividers = dividers
    }

    /// Returns the widths of the panes, 0 for those without room. The last ones are left out first, the focused one
    /// never.
    private static func widths(of panes: [Pane], in width: Int, focused: Int) -> [Int] {
        var shown = Array(panes.indices)
        func need() -> Int { shown.reduce(shown.count - 1) { $0 + panes[$1].least } }
        while shown.count > 1, need() > width, let last = shown.lastIndex(where: { $0 != focused }) {
            shown.remove(at: last)
        }
        var widths = panes.map { _ in 0 }
        var rest = max(0, width - need())
        var shares = shown.reduce(0) { $0 + panes[$1].share }
        for index in shown {
            let extra = index == shown.last ? rest : shares > 0 ? rest * panes[index].share / shares : 0
            widths[index] = shown.count == 1 ? width : panes[index].least + extra
            rest -= extra
            shares -= panes[index].share
        }
        return widths
    }
}

extension ScreenLayout {
    /// Draws the title line, the rules and the hint line. The panes draw themselves.
    /// - Parameters:
    ///   - grid: what is drawn into.
    ///   - title: the text at the left of the first line.
    ///   - status: the text at its right.
    ///   - hint: the last line.
    ///   - theme: the colours and symbols.
    public func draw(into grid: inout Grid, title: Line, status: Line = [], hint: Line, theme: Theme) {
        for rule in rules { grid.horizontalRule(rule, theme.rule, level: theme.unicode) }
        for divider in dividers { grid.verticalRule(divider, theme.rule, level: theme.unicode) }
        drawJoints(into: &grid, theme: theme)
        drawTitle(title, status, into: &grid, theme: theme)
        grid.fill(self.hint)
        grid.draw(hint, x: self.hint.x, y: self.hint.y, in: self.hint, level: theme.unicode)
    }

    /// Draws the title at the left and the state at the right. If there is no room for both, the state stays.
    private func drawTitle(_ left: Line, _ right: Line, into grid: inout Grid, theme: Theme) {
        grid.fill(title)
        let width = TextMeasure(theme.unicode).width(of: right.text, limit: title.width)
        let (start, end) = title.splitLeft(title.width - width)
        grid.draw(left, x: start.x, y: start.y, in: start, level: theme.unicode)
        grid.draw(right, x: end.x, y: end.y, in: end, level: theme.unicode)
    }

    private func drawJoints(into grid: inout Grid, theme: Theme) {
        guard rules.count == 2 else { return }
        for divider in dividers {
            for (rule, joint) in zip(rules, theme.unicode == .ascii ? ["+", "+"] : ["┬", "┴"]) {
                grid.draw(joint, theme.rule, x: divider.x, y: rule.y, level: theme.unicode)
            }
        }
    }
}

extension ScreenLayout {
    /// Draws a message: in the hint line if it fits there, otherwise wrapped over as many lines above it as it needs.
    ///
    /// - Parameters:
    ///   - area: what a wrapped message stands above, in its columns: the line being typed, which must stay visible. Nil for the end of the
    ///     hint line.
    ///   - remedy: how to see the whole message on a screen that is too small, as in `! shows all`.
    public func drawMessage(
        _ text: String, _ style: Style, above area: Rect? = nil, remedy: String, into grid: inout Grid, theme: Theme
    ) {
        let measure = TextMeasure(theme.unicode)
        let whole = measure.wrapped(text, width: max(1, hint.width - 2), maxLines: 2)
        if whole.count == 1 { return draw(whole[0], style, at: hint, into: &grid, theme) }
        let columns = area ?? hint
        let width = max(1, columns.width - 2)
        var end = area?.y ?? hint.maxY
        var lines = measure.wrapped(text, width: width, maxLines: max(0, end - title.maxY) + 1)
        if lines.count > end - title.maxY {
            draw(remedy, theme.secondary, at: hint, into: &grid, theme)
            end = min(end, hint.y)
            lines = measure.wrapped(text, width: width, maxLines: max(0, end - title.maxY))
        }
        for (index, line) in lines.enumerated() {
            let place = Rect(x: columns.x, y: end - lines.count + index, width: columns.width, height: 1)
            draw(line, style, at: place, into: &grid, theme)
        }
    }

    private func draw(_ text: String, _ style: Style, at line: Rect, into grid: inout Grid, _ theme: Theme) {
        grid.fill(line)
        grid.draw(" " + text, style, x: line.x, y: line.y, in: line, level: theme.unicode)
    }
}

extension Overlay {
    /// Creates an overlay with a whole text, wrapped to a comfortable width.
    /// - Parameters:
    ///   - title: the text in the upper edge.
    ///   - text: the text.
    ///   - size: columns and lines of the screen.
    ///   - theme: the colours and symbols.
    public init(_ title: String, text: String, in size: (width: Int, height: Int), theme: Theme) {
        let width = min(72, max(8, size.width - 4))
        self.init(title, TextMeasure(theme.unicode).wrapped(text, width: width).map { Line(text: $0) })
    }
}

extension Grid {
    /// Returns the screen shown while a file cannot be opened yet.
    /// - Parameters:
    ///   - name: the name of the file.
    ///   - size: columns and lines of the screen.
    ///   - theme: the colours and symbols.
    public static func opening(_ name: String, size: (width: Int, height: Int), theme: Theme) -> Grid {
        var grid = Grid(width: size.width, height: size.height)
        ScreenLayout(width: size.width, height: size.height, panes: []).drawMessage(
            "Opening \(name), which another program may be holding. Ctrl-C gives up.", theme.secondary,
            remedy: "Ctrl-C gives up", into: &grid, theme: theme)
        return grid
    }
}
