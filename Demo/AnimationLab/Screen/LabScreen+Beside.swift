import LiveTable

/// What is shown beside the animated table.
enum LabBeside: CaseIterable, Hashable, Sendable {
    case nothing
    /// The same list in a table that only reloads.
    case reload
    /// The rows that another change-set gives.
    case other
}

extension LabScreen {
    /// The available choices.
    var besides: [LabBeside] { stage.entry.hasOtherAnswers ? LabBeside.allCases : [.nothing, .reload] }

    func drawBeside(into grid: inout Grid) {
        let answer = state.beside == .other ? otherAnswer : nil
        let captions =
            state.beside == .reload ? ("by change-set", "by reload") : ("ours", answer?.name ?? stage.entry.otherName)
        let top = state.listPane.splitTop(1).top
        for (text, x) in [(captions.0, top.x), (captions.1, state.besideArea.x)] {
            let fitting = TextMeasure(theme.unicode).truncated(text, to: state.besideArea.width - 2)
            grid.draw(fitting, theme.secondary, x: x + 1, y: top.y, in: top, level: theme.unicode)
        }
        guard state.beside == .other else {
            stage.plain.table.draw(into: &grid, in: state.besideArea, at: timeOfFrame)
            return markDifferences(in: &grid)
        }
        guard let answer else {
            let what = stage.entry.otherName
            drawWords("Take a step to see here what \(what) would show.", theme.secondary, into: &grid)
            return
        }
        let verdict = answer.applied.verdict
        guard !verdict.isCrash else {
            let rest = drawWords(verdict.text, theme.wrong, into: &grid)
            return drawRows(of: answer, in: rest.splitTop(1).rest, into: &grid)
        }
        drawRows(of: answer, in: state.besideArea, into: &grid)
        markDifferences(in: &grid)
        guard verdict != .exact, let sections = answer.applied.rows?.sections else { return }
        let used = sections.map { 1 + $0.rows.count }.reduce(0, +) + 1
        let words = wrapped(verdict.text)
        if used + words.count <= state.besideArea.height {
            drawWords(verdict.text, theme.wrong, below: used, into: &grid)
        }
    }

    private func wrapped(_ text: String) -> [String] {
        TextMeasure(theme.unicode).wrapped(text, width: max(8, state.besideArea.width - 2))
    }

    /// The other change-set with which the last step shown is compared.
    private var otherAnswer: LabOtherAnswer? {
        if memory.other?.session !== session || memory.other?.moves != session.moves {
            memory.other = LabMemory.Other(session: session, moves: session.moves, answer: stage.otherAnswer)
        }
        return memory.other?.answer
    }

    /// Draws a text and returns the area below it.
    @discardableResult
    private func drawWords(_ text: String, _ style: Style, below skipped: Int = 0, into grid: inout Grid) -> Rect {
        let area = state.besideArea.splitTop(skipped).rest
        let lines = wrapped(text)
        for (y, line) in lines.enumerated() {
            grid.draw(line, style, x: area.x + 1, y: area.y + y, in: area, level: theme.unicode)
        }
        return area.splitTop(lines.count).rest
    }

    /// Draws the rows that another change-set gives as a table, scrolled like ours.
    private func drawRows(of answer: LabOtherAnswer, in area: Rect, into grid: inout Grid) {
        guard let rows = answer.applied.rows, !area.isEmpty else { return }
        let source = AppliedSource(
            rows: rows, before: answer.before, wrong: answer.applied.wrongPaths, texts: session.texts,
            cell: LabCell(theme: theme, mappings: session.list.mappings, nameWidth: stage.nameWidth))
        var table = Table(options: TableOptions(theme: theme, motion: .none, follows: [], selects: false))
        table.resize(width: area.width, height: area.height, source: source, at: 0)
        table.restore(stage.table.table.scrollState, source: source, at: 0)
        table.draw(into: &grid, in: area, at: 0)
    }

    /// Marks the lines in which both tables differ, between them.
    private func markDifferences(in grid: inout Grid) {
        let sign = theme.unicode == .ascii ? "x" : "≠"
        let (ours, other) = (state.tableArea, state.besideArea)
        for y in 0..<ours.height where grid.text(in: ours, line: y) != grid.text(in: other, line: y) {
            grid.draw(
                sign, Style(theme.accent), x: ours.maxX + 1, y: ours.y + y, in: state.listPane, level: theme.unicode)
        }
    }
}

extension Grid {
    /// Returns the text in one line of a rectangle.
    fileprivate func text(in rect: Rect, line: Int) -> String {
        guard rect.y + line < height else { return "" }
        return String((rect.x..<min(rect.maxX, width)).compactMap { self[$0, rect.y + line].character })
    }
}
