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
