import LiveTable

extension LabScreen {
    /// The panel's lines, as many as fit.
    var panelLines: [Line] {
        let (width, height) = (state.panelArea.width, state.panelArea.height)
        guard width >= LabPanel.leastColumns else {
            let parts = changeParts(width: width) + setupParts(width: width)
            return parts.column(width: width, height: height, theme: theme)
        }
        let column = (width - LabPanel.gap) / 2
        return LabPanel.beside(
            setupParts(width: column).column(width: column, height: height, theme: theme),
            changeParts(width: column).column(width: column, height: height, theme: theme), width: column, theme: theme)
    }

    /// Returns the parts about settings and time.
    private func setupParts(width: Int) -> [PanelPart] {
        let time = timeOfFrame
        let transitions = stage.table.table.transitions(at: time)
        let remaining = transitions.map(\.end).max().map { max(0, $0 - time) }
        var mappings = PanelPart.mappings(session, width: width, theme: theme)
        if state.focus == .settings {
            (mappings.rank, mappings.least) = (PanelPart.settingsRank, min(3, mappings.lines.count))
        }
        return [mappings]
            + (state.focus == .settings
                ? [.settings(settings, chosen: state.settings.chosen, width: width, theme: theme)] : [])
            + [
                .timeline(session, width: width, theme: theme),
                .time(state.motion.clock, motion: state.motion.level, remaining: remaining, theme: theme),
                .transitions(transitions, theme: theme),
            ]
    }

    /// The last change-set, if the panel does not fit beside the list: the changes first, then the explanation.
    var stripLines: [Line] {
        var parts = changeParts(width: state.stripArea.width)
        parts.append(parts.removeFirst())
        for index in parts.indices { parts[index].rank = -index }
        return parts.column(width: state.stripArea.width, height: state.stripArea.height, theme: theme)
    }

    /// Returns the parts about the last step, cached from frame to frame, because a change-set may be large.
    private func changeParts(width: Int) -> [PanelPart] {
        let key = LabMemory.PanelKey(
            session: ObjectIdentifier(session), move: session.moves, width: width, beside: state.beside)
        if memory.panel?.key != key {
            memory.panel = LabMemory.Panel(
                key: key,
                parts: [
                    .step(stage, width: width, theme: theme),
                    .changes(session, width: width, theme: theme).opening(opensAll),
                    .other(stage, isBeside: state.beside == .other, width: width, theme: theme),
                    .differences(stage, width: width, theme: theme),
                    .log(session, width: width, theme: theme).opening(opensAll),
                ])
        }
        return (memory.panel?.parts ?? []) + [.times(session, frame: memory.frameTime, width: width, theme: theme)]
    }
}

/// The panel of a wide screen.
enum LabPanel {
    /// The minimum width with two columns.
    static let leastColumns = 90
    /// The number of blanks between them.
    static let gap = 3

    static func beside(_ left: [Line], _ right: [Line], width: Int, theme: Theme) -> [Line] {
        let measure = TextMeasure(theme.unicode)
        return (0..<max(left.count, right.count)).map { index in
            let line = index < left.count ? left[index] : []
            let used = measure.width(of: line.text)
            return line + [Run(String(repeating: " ", count: width - used + gap))]
                + (index < right.count ? right[index] : [])
        }
    }
}

extension [Run] {
    /// Returns the line cut to a width.
    func cut(to width: Int, _ measure: TextMeasure) -> [Run] {
        var rest = width
        var line: [Run] = []
        for run in self where rest > 0 {
            let text = measure.truncated(run.text, to: rest)
            line.append(Run(text, run.style))
            rest -= measure.width(of: text)
        }
        return line
    }
}

extension LabScreen {
    /// The most lines of the box. Nothing can be found by eye in a longer one.
    private static let maxLines = 20_000

    /// Shows the whole change-set and the whole log of the last step, of which the panel may show only a part.
    func showDetails() throws {
        guard let move = session.lastMove else { throw LabRefusal("There is no change-set yet.") }
        let heading = Style(.terminal, on: .terminal, .bold)
        let changes = move.named.lines(theme, most: Self.maxLines)
        let log = move.step.advance.log.prefix(Self.maxLines).map { Line(text: $0.words) }
        state.screen.text = Overlay(
            "The last step",
            [Line(text: "CHANGE-SET", heading)] + changes + [[], Line(text: "LOG", heading)]
                + (log.isEmpty ? [Line(text: "empty", theme.secondary)] : log))
    }

    /// Whether a line of the panel stands for lines that are not seen.
    func isCut(_ line: String) -> Bool { line.contains(PanelPart.more(opensAll)) }

    /// The key that shows all lines, for those that say how many are not seen.
    var opensAll: String { state.keys.list[.details]?.keys.first.map { $0.map(\.description).joined() } ?? "" }
}
