import LiveTable

extension PanelPart {
    /// Makes the explanation of the last step shown; empty for the user's own steps.
    static func step(_ stage: LabStage, width: Int, theme: Theme) -> PanelPart {
        let words = stage.lastExample.map { "STEP \($0.number + 1)  \($0.words.text)" } ?? ""
        let lines = words.isEmpty ? [] : TextMeasure(theme.unicode).wrapped(words, width: width)
        return PanelPart(
            title: stage.entry.name.uppercased(), lines: lines.map { Line(text: $0) }, least: min(2, lines.count),
            rank: 10)
    }

    /// Makes the part about another answer to the last step shown, and its result.
    ///
    /// - Parameter isBeside: whether the resulting rows and their faults are shown beside the list.
    static func other(_ stage: LabStage, isBeside: Bool, width: Int, theme: Theme) -> PanelPart {
        guard let other = stage.otherAnswer else { return PanelPart(title: "", lines: [], rank: 8) }
        let applied = other.applied
        let style = applied.verdict == .exact ? Style.plain : theme.wrong
        let verdict = TextMeasure(theme.unicode).wrapped(applied.verdict.text, width: width).map {
            Line(text: $0, style)
        }
        let changes = applied.changes.isEmpty ? [] : Outcome.changes(applied.changes).lines(theme)
        return PanelPart(
            title: "\(other.name.uppercased()) WOULD SAY", detail: Line(text: other.source, theme.secondary),
            lines: isBeside ? changes + verdict : verdict + changes + applied.lines(theme),
            least: isBeside ? 3 : verdict.count + 1, rank: 8)
    }
}

/// Another answer to a step, and its result.
struct LabOtherAnswer {
    let name: String
    let source: String
    let applied: AppliedChanges
    /// The rows before the step.
    let before: ListSnapshot
}

extension PanelPart {
    /// Makes the part about differences between the last step shown and what a file expects of it.
    static func differences(_ stage: LabStage, width: Int, theme: Theme) -> PanelPart {
        let step = stage.session.position - 1
        let flaws = stage.isOnOwnSteps ? stage.flaws.filter { $0.step == step && $0.kind == .difference } : []
        let lines = flaws.flatMap { TextMeasure(theme.unicode).wrapped($0.text, width: width) }
        return PanelPart(
            title: "NOT AS EXPECTED", lines: lines.map { Line(text: $0, theme.wrong) }, least: min(3, lines.count),
            rank: 8)
    }
}

extension AppliedChanges {
    /// Returns the resulting rows, a line for each section, with wrong rows marked.
    fileprivate func lines(_ theme: Theme) -> [Line] {
        (rows?.sections ?? []).enumerated().map { section, content in
            let rows = content.rows.enumerated().map { row, key in
                let isWrong = wrongPaths.contains(RowPath(section: section, row: row))
                return Run(" \(key.scenarioName)\(isWrong ? "!" : "")", isWrong ? theme.wrong : .plain)
            }
            return [Run("shows     ", theme.secondary), Run(content.group + ":")] + rows
        }
    }
}

extension LabStage {
    /// Another answer to the last step shown; nil if there is none.
    var otherAnswer: LabOtherAnswer? {
        guard let example = lastExample, let other = example.words.other else { return nil }
        let move = example.move
        let comparison = Comparison(
            from: move.reached, to: move.after, changes: move.step.advance.outcome.changeSet, other: other.answer)
        return comparison.other.map {
            LabOtherAnswer(name: other.name, source: other.source, applied: $0, before: move.reached.shown)
        }
    }

    /// The last step shown, if it is one of the entry's own.
    fileprivate var lastExample: (move: LabMove, number: Int, words: GalleryEntry.Step)? {
        let number = session.position - 1
        guard let move = session.lastMove, isOnOwnSteps, entry.steps.indices.contains(number) else { return nil }
        return (move, number, entry.steps[number])
    }

    /// Whether the state shown is the result of the entry's steps, not of the user's or of a step back.
    fileprivate var isOnOwnSteps: Bool {
        guard let move = session.lastMove, !move.isBackwards else { return false }
        let taken = session.steps.prefix(session.position).map(\.step)
        return taken == Array(entry.scenario.steps.prefix(session.position))
    }
}
