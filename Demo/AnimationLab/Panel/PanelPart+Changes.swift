import LiveTable

extension PanelPart {
    /// Makes the changes of the last step, line by line.
    static func changes(_ session: LabSession, width: Int, theme: Theme) -> PanelPart {
        let measure = TextMeasure(theme.unicode)
        guard let move = session.lastMove else {
            let text = "Change something, and the change-set stands here."
            let lines = measure.wrapped(text, width: width).map { Line(text: $0, theme.secondary) }
            return PanelPart(title: "LAST CHANGE-SET", lines: lines, rank: 9)
        }
        return PanelPart(
            title: "LAST CHANGE-SET", detail: Line(text: move.heading(theme), theme.secondary),
            lines: move.law(width, theme) + move.reconfigured(theme) + move.named.lines(theme)
                + move.words(theme), least: 4, rank: 9)
    }
}

extension LabMove {
    /// `#41 → #43  2 commits`
    fileprivate func heading(_ theme: Theme) -> String {
        let arrow = theme.unicode == .ascii ? "->" : "→"
        let commits = step.step.commits.count
        let (first, last) = step.advance.snapshots
        if way == .foreign { return "#\(first) \(arrow) #\(last)  by another program" }
        if step.chapter != nil { return isBackwards ? "the groups of before" : "other groups" }
        return isBackwards
            ? "back, turned round" : "#\(first) \(arrow) #\(last)  \(commits) commit\(commits == 1 ? "" : "s")"
    }

    fileprivate func law(_ width: Int, _ theme: Theme) -> [Line] {
        guard let problem else {
            let meaning = width >= 41 ? "  before + changes = after" : ""
            return [[Run("law       ", theme.secondary), Run("holds"), Run(meaning, theme.secondary)]]
        }
        let sentence = TextMeasure(theme.unicode).wrapped("broken: \(problem)", width: max(8, width - 10))
        return sentence.enumerated().map { index, text in
            [Run(index == 0 ? "law       " : "          ", theme.secondary), Run(text, theme.wrong)]
        }
    }

    /// The outcome with the keys of all rows, including those that the change-set itself does not know.
    var named: Outcome {
        guard case .changes(var changes) = outcome else { return outcome }
        let states = [reached.shown, after.shown]
        let (before, after) = isBackwards ? (states[1], states[0]) : (states[0], states[1])
        for (index, change) in changes.rowChanges.enumerated() where change.key == nil {
            changes.rowChanges[index].key = change.before.flatMap { before[$0] } ?? change.after.flatMap { after[$0] }
        }
        return .changes(changes)
    }

    /// Explains the words after the changes.
    fileprivate func words(_ theme: Theme) -> [Line] {
        guard case .changes(let changes) = outcome,
            changes.rowChanges.contains(where: { $0.flags.contains(.dependency) })
        else { return [] }
        return [Line(text: "dependency: a row changed that this one looks at", theme.secondary)]
    }

    /// Shows ranges and reversal that take effect before the jump.
    fileprivate func reconfigured(_ theme: Theme) -> [Line] {
        if step.chapter != nil { return [Line(text: "other mappings; found by comparing both lists", theme.secondary)] }
        guard step.step.reconfigure != nil else { return [] }
        let isSeen = reached.shown != before.shown
        return [
            Line(
                text: isSeen ? "mappings changed, seen at once; then" : "mappings changed; then",
                theme.secondary)
        ]
    }
}

extension Outcome {
    /// The most changes drawn, more than any screen has lines.
    private static let maxLines = 300

    /// Returns a line for each change, in a table view's terms.
    func lines(_ theme: Theme, most: Int = maxLines) -> [Line] {
        switch self {
        case .none: [Line(text: "nothing that is shown", theme.secondary)]
        case .reload: [Line(text: "reload: groups changed their places")]
        case .changes(let changes):
            (changes.sectionChanges.map { $0.line(theme) }
                + changes.rowChanges.inReadingOrder.prefix(most).map { $0.line(theme) }
                + changes.rest(beyond: most, theme))
        }
    }
}

extension ChangeSet {
    fileprivate func rest(beyond count: Int, _ theme: Theme) -> [Line] {
        let rest = rowChanges.count - count
        return rest > 0 ? [Line(text: "\(theme.ellipsis) \(rest) more", theme.secondary)] : []
    }
}

extension [RowChange] {
    /// The deletes, inserts, moves and updates, each from the top. A change-set itself has no order.
    fileprivate var inReadingOrder: [RowChange] {
        let types: [ChangeType] = [.delete, .insert, .move, .update]
        return types.flatMap { type in
            filter { $0.type == type }.sorted { ($0.before ?? $0.after!) < ($1.before ?? $1.after!) }
        }
    }
}

extension SectionChange {
    /// `section + 1 "B"`
    func line(_ theme: Theme) -> Line {
        [Run("section ", theme.secondary), Run("\(type.sign(theme)) \(index) \"\(group)\"")]
    }
}

extension RowChange {
    /// `→ [0,1] → [1,0]  k4  object`
    func line(_ theme: Theme) -> Line {
        let arrow = theme.unicode == .ascii ? " -> " : " → "
        let measure = TextMeasure(theme.unicode)
        let shown = type == .update ? [before] : [before, after]
        let paths = measure.padded(shown.compactMap { $0?.description }.joined(separator: arrow), to: 14)
        let name = measure.padded(key?.scenarioName ?? (theme.unicode == .ascii ? "-" : "·"), to: 6)
        let isPlain = type == .insert || type == .delete
        return [
            Run(type.sign(theme) + " ", Style(.terminal, .bold)), Run(paths + " " + name),
            Run(isPlain ? "" : " \(flags)", theme.secondary),
        ]
    }
}

extension ChangeType {
    func sign(_ theme: Theme) -> String {
        switch self {
        case .insert: "+"
        case .delete: theme.unicode == .ascii ? "-" : "–"
        case .move: theme.unicode == .ascii ? ">" : "→"
        case .update: "~"
        }
    }
}
