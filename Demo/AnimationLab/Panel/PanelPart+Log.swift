import LiveTable

extension PanelPart {
    /// The most operations drawn.
    private static let maxOperations = 200

    /// Makes the edits of the view from which the change-set was computed.
    static func log(_ session: LabSession, width: Int, theme: Theme) -> PanelPart {
        let log = session.lastMove?.step.advance.log ?? []
        var words = log.prefix(maxOperations).map(\.words)
        if log.count > maxOperations { words.append("\(theme.ellipsis) \(log.count - maxOperations) more") }
        let text = words.joined(separator: theme.unicode == .ascii ? " / " : " · ")
        let measure = TextMeasure(theme.unicode)
        let lines = text.isEmpty ? [] : measure.wrapped(text, width: max(8, width - inlineTitle))
        return PanelPart(title: "LOG", lines: lines.map { Line(text: $0) }, rank: 5, isInline: true)
    }

    /// Makes the times of the last step.
    static func times(_ session: LabSession, frame: Duration?, width: Int, theme: Theme) -> PanelPart {
        guard let step = session.lastMove?.step else { return PanelPart(title: "TIMES", lines: [], rank: 4) }
        var parts = [
            ("commit", step.commitTime), ("jump", step.advance.jumpTime), ("changes", step.advance.changesTime),
        ]
        if let frame { parts.append(("frame", frame)) }
        var lines: [Line] = [[]]
        var used = inlineTitle
        for (name, duration) in parts where duration > .zero {
            let text = duration.short(theme)
            let columns = name.count + text.count + 3
            if used + columns > width, !lines[lines.count - 1].isEmpty {
                lines.append([])
                used = inlineTitle
            }
            lines[lines.count - 1] += [Run("\(name) ", theme.secondary), Run(text + "  ")]
            used += columns
        }
        return PanelPart(title: "TIMES", lines: lines, rank: 4, isInline: true)
    }
}

extension RawOperation {
    /// `insert A 3 k7`
    var words: String {
        switch self {
        case .insertRow(let group, let index, let key): "insert \(group) \(index) \(key.scenarioName)"
        case .deleteRow(let group, let index, let key): "delete \(group) \(index) \(key.scenarioName)"
        case .updateRow(let group, let index, let key, let flags):
            "update \(group) \(index) \(key.scenarioName) (\(flags))"
        case .insertSection(let group): "new group \(group)"
        case .deleteSection(let group): "group \(group) gone"
        case .resetSection(let group): "empty \(group)"
        }
    }
}

extension Duration {
    /// `24 µs`, `1.3 ms`
    func short(_ theme: Theme) -> String {
        let microseconds = self / .microseconds(1)
        if microseconds < 1000 { return "\(Int(microseconds.rounded())) \(theme.unicode == .ascii ? "us" : "µs")" }
        let tenths = Int((microseconds / 100).rounded())
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) ms" : "\(tenths / 10) ms"
    }
}
