import LiveTable

extension PanelPart {
    /// What the step that was shown last is there to show; nothing for steps of one's own.
    static func step(_ stage: LabStage, width: Int, theme: Theme) -> PanelPart {
        let words = stage.lastExample.map { "STEP \($0.number + 1)  \($0.words.text)" } ?? ""
        let lines = words.isEmpty ? [] : TextMeasure(theme.unicode).wrapped(words, width: width)
        return PanelPart(
            title: stage.entry.name.uppercased(), lines: lines.map { Line(text: $0) }, least: min(2, lines.count),
            rank: 10)
    }

    /// What somebody else would have said to the step that was shown last, and what would have come of it.
    ///
    /// - Parameter isBeside: the rows that come of it, and what is wrong with them, stand beside the list.
    static func other(_ stage: LabStage, isBeside: Bool, width: Int, theme: Theme) -> PanelPart {
        guard let other = stage.otherAnswer else { return PanelPart(title: "", lines: [], rank: 8) }
        let applied = other.applied
        let style = applied.verdict == .exact ? Style.plain : theme.wrong
        let verdict = TextMeasure(theme.unicode).wrapped(applied.verdict.text, width: width).map {
            Line(text: $0, style)
        }
        let changes = applied.changes.isEmpty ? [] : YapDatabaseViewOutcome.changes(applied.changes).lines(theme)
        return PanelPart(
            title: "\(other.name.uppercased()) WOULD SAY", detail: Line(text: other.source, theme.secondary),
            lines: isBeside ? changes + verdict : verdict + changes + applied.lines(theme),
            least: isBeside ? 3 : verdict.count + 1, rank: 8)
    }
}

/// What somebody else would have answered to a step, and what comes of it.
struct LabOtherAnswer {
    let name: String
    let source: String
    let applied: AppliedChanges
    /// The rows that were shown.
    let before: ListSnapshot
}

extension PanelPart {
    /// In what the step that was shown last is not what a file expects of it.
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
    /// The rows that it gives, a line for each section; those that should not be there are marked.
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
    /// What somebody else would have said to the step that was shown last; nil where nobody is known to say anything.
    var otherAnswer: LabOtherAnswer? {
        guard let example = lastExample, let other = example.words.other else { return nil }
        let move = example.move
        let comparison = Comparison(
            from: move.reached, to: move.after, changes: move.step.advance.outcome.changeSet, other: other.answer)
        return comparison.other.map {
            LabOtherAnswer(name: other.name, source: other.source, applied: $0, before: move.reached.shown)
        }
    }

    /// The step that was shown last, if it is one of the entry's own.
    fileprivate var lastExample: (move: LabMove, number: Int, words: GalleryEntry.Step)? {
        let number = session.position - 1
        guard let move = session.lastMove, isOnOwnSteps, entry.steps.indices.contains(number) else { return nil }
        return (move, number, entry.steps[number])
    }

    /// Whether what is shown is what the entry's steps led to, and not steps of one's own or a way back.
    fileprivate var isOnOwnSteps: Bool {
        guard let move = session.lastMove, !move.isBackwards else { return false }
        let taken = session.steps.prefix(session.position).map(\.step)
        return taken == Array(entry.scenario.steps.prefix(session.position))
    }
}
