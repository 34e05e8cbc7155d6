import LiveTable

extension PanelPart {
    /// While the user edits settings, they rank highest.
    static let settingsRank = 10
    /// The fewest lines of the form: on a low screen it leaves room for the change-set.
    private static let leastSettings = 9

    /// Makes the form of settings, with a bar beside the chosen one and its explanation at the right of the title.
    static func settings(_ settings: LabSettings, chosen: LabSetting?, width: Int, theme: Theme) -> PanelPart {
        let measure = TextMeasure(theme.unicode)
        let (left, right) = theme.unicode == .ascii ? ("<", ">") : ("‹", "›")
        let lines = settings.shown.map { setting -> Line in
            let isChosen = setting == chosen
            let mark = isChosen ? String(theme.selectionSymbol) : " "
            let value = settings.value(of: setting)
            return [
                Run(mark, theme.selectionBar(focused: true)),
                Run(measure.padded(setting.name, to: 14), theme.secondary),
                Run(isChosen ? "\(left) \(value) \(right)" : "  \(value)", isChosen ? Style(theme.accent) : .plain),
            ]
        }
        let title = "SETTINGS"
        let meaning = measure.truncated(
            chosen.map(settings.meaning) ?? "", to: max(0, width - measure.width(of: title) - 2))
        return PanelPart(
            title: title, detail: Line(text: meaning, theme.secondary), lines: lines,
            least: min(leastSettings, lines.count),
            anchor: chosen.flatMap(settings.shown.firstIndex),
            rank: settingsRank)
    }
}
