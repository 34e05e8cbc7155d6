import LiveTable

extension PanelPart {
    /// Makes the position on the timeline, with pending edits and commits.
    static func timeline(_ session: LabSession, width: Int, theme: Theme) -> PanelPart {
        let isASCII = theme.unicode == .ascii
        let room = max(4, (width - inlineTitle - 10) / 2)
        let first = max(0, min(session.position - room / 2, session.steps.count + 1 - room))
        let last = min(session.steps.count, first + room - 1)
        var line: Line = first > 0 ? [Run(String(theme.ellipsis), theme.secondary)] : []
        for place in first...last {
            if place > first { line.append(Run(isASCII ? "-" : "─", theme.rule)) }
            let isBroken = place > 0 && session.steps[place - 1].flaw != nil
            let symbol = place == session.position ? (isASCII ? "@" : "◉") : isASCII ? "o" : "●"
            let style = isBroken ? theme.wrong : place == session.position ? Style(theme.accent) : theme.secondary
            line.append(Run(isBroken && isASCII ? "X" : symbol, style))
        }
        if last < session.steps.count { line.append(Run(String(theme.ellipsis), theme.secondary)) }
        line.append(Run("  \(session.position) of \(session.steps.count)"))
        return PanelPart(
            title: "TIMELINE", lines: [line] + waiting(session, theme), least: 2, rank: 6, isInline: true)
    }

    /// The most collected edits shown, the newest.
    private static let maxEdits = 3

    private static func waiting(_ session: LabSession, _ theme: Theme) -> [Line] {
        var lines: [Line] = []
        let edits = session.collected.count
        if session.isCollecting || edits > 0 {
            lines.append([Run(edits == 0 ? "collecting edits" : "\(edits) edit\(edits == 1 ? "" : "s") collected")])
            let newest = session.collected.suffix(maxEdits).flatMap { $0.operations.prefix(1) }
            lines += newest.map { Line(text: "  \($0.words)", theme.secondary) }
        }
        let commits = session.held.count
        if session.isHolding || commits > 0 {
            lines.append(
                [Run(commits == 0 ? "holding the list" : "\(commits) commit\(commits == 1 ? "" : "s") not shown")])
        }
        if session.isHoldingForeign { lines.append([Run("another program's commits not shown")]) }
        return lines
    }

    /// Makes the state of the clock.
    static func time(_ clock: LabClock, motion: MotionLevel, remaining: Double?, theme: Theme) -> PanelPart {
        var line: Line = [
            Run("speed ", theme.secondary), Run(clock.slowness == 1 ? "1" : "1/\(clock.slowness)"),
            Run("  motion ", theme.secondary), Run("\(motion)"),
        ]
        if clock.isPaused { line += [Run("  "), Run(" stopped ", theme.badge)] }
        if let remaining {
            line += [Run("  at rest in ", theme.secondary), Run("\(Int((remaining * 1000).rounded(.up))) ms")]
        }
        return PanelPart(title: "TIME", lines: [line], rank: 3, isInline: true)
    }

    /// Makes the running transitions.
    static func transitions(_ transitions: [Transition], theme: Theme) -> PanelPart {
        PanelPart(title: "MOTION", lines: transitions.map { $0.line(theme) }, rank: 2, isFiller: true)
    }
}

extension Transition {
    /// `k4      line 3 → 7  now 5   text 40 %  tint 2/8`
    fileprivate func line(_ theme: Theme) -> Line {
        let measure = TextMeasure(theme.unicode)
        let arrow = theme.unicode == .ascii ? "->" : "→"
        let name = measure.padded(key?.scenarioName ?? "section \(section)", to: 10)
        let way = fromLine == toLine ? "line \(toLine)" : "line \(fromLine) \(arrow) \(toLine), now \(line)"
        var more = isLeaving ? "leaves" : ""
        if alpha < 1 { more += "\(more.isEmpty ? "" : ", ")text \(Int((alpha * 100).rounded())) %" }
        if tint > 0 { more += "\(more.isEmpty ? "" : ", ")tint \(Int((tint * 100).rounded())) %" }
        return [Run(name), Run(measure.padded(way, to: 22) + " "), Run(more, theme.secondary)]
    }
}
