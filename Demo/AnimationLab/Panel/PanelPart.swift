import LiveTable

/// A titled part of the panel.
struct PanelPart: Hashable, Sendable {
    var title: String
    /// At the right of the title.
    var detail: Line = []
    var lines: [Line]
    /// The number of lines that it keeps if room is short; it then shows how many more there are.
    var least = 1
    /// The line that stays visible when others are cut; nil for the first ones.
    var anchor: Int?
    /// If two parts do not fit, the part with the higher rank keeps its place.
    var rank: Int
    /// Whether the first line is beside the title.
    var isInline = false
    /// The key that shows all of its lines; empty if there is none.
    var opensAll = ""
    /// Whether it is shown only in spare room.
    var isFiller = false

    /// Returns the height with `count` of its lines.
    func height(showing count: Int) -> Int { isInline ? max(1, count) : 1 + count }
}

extension [PanelPart] {
    /// Returns all parts in one column. If room is short, parts of low rank are left out, and long ones are cut with a
    /// note; blank lines separate parts if there is room. Fillers come last and take the remaining room: they come and
    /// go, and nothing else may move because of them.
    func column(width: Int, height: Int, theme: Theme) -> [Line] {
        var lines = filter { !$0.isFiller }.fixedColumn(width: width, height: height, theme: theme)
        for filler in filter(\.isFiller) where !filler.lines.isEmpty {
            let room = height - lines.count - 2
            guard room > 0 else { break }
            lines.append([])
            lines += filler.drawn(showing: Swift.min(room, filler.lines.count), width: width, theme: theme)
        }
        let measure = TextMeasure(theme.unicode)
        return lines.map { $0.cut(to: width, measure) }
    }

    private func fixedColumn(width: Int, height: Int, theme: Theme) -> [Line] {
        guard height > 0 else { return [] }
        var shown = filter { !$0.lines.isEmpty }
        func least(_ part: PanelPart) -> Int { part.height(showing: Swift.min(part.least, part.lines.count)) }
        while shown.count > 1, shown.reduce(0, { $0 + least($1) }) > height,
            let last = shown.indices.min(by: { shown[$0].rank < shown[$1].rank })
        {
            shown.remove(at: last)
        }
        // The most important part is shown on the lowest screen, cut to it.
        if let only = shown.first, shown.count == 1, least(only) > height {
            shown[0].least = Swift.max(0, only.isInline ? height : height - 1)
        }
        var counts = shown.map { Swift.min($0.least, $0.lines.count) }
        var rest = height - shown.reduce(0) { $0 + least($1) }
        for index in shown.indices.sorted(by: { shown[$0].rank > shown[$1].rank }) {
            let more = Swift.min(rest, shown[index].lines.count - counts[index])
            counts[index] += more
            rest -= more
        }
        var lines: [Line] = []
        for (part, count) in zip(shown, counts) {
            if !lines.isEmpty, rest > 0 {
                lines.append([])
                rest -= 1
            }
            lines += part.drawn(showing: count, width: width, theme: theme)
        }
        return lines
    }
}

extension PanelPart {
    /// Returns the part with a key that shows all of it.
    func opening(_ key: String) -> PanelPart {
        var part = self
        part.opensAll = key
        return part
    }

    /// The width of titles with their first line beside them.
    static let inlineTitle = 10

    func drawn(showing count: Int, width: Int, theme: Theme) -> [Line] {
        var shown = Array(lines.prefix(count))
        if count < lines.count, count == 1 {
            shown[0] = lines[0] + [Run(" \(theme.ellipsis)" + Self.more(opensAll), theme.secondary)]
        } else if count < lines.count, count > 0 {
            let start = Swift.min(Swift.max(0, (anchor ?? 0) - count / 2), lines.count - count)
            let rest = lines.count - count - start
            shown = Array(lines[start..<start + count])
            if start > 0 { shown[0] = more(start + 1, theme) }
            if rest > 0 { shown[count - 1] = more(rest + 1, theme) }
        }
        guard isInline else { return [heading(width, theme)] + shown }
        let measure = TextMeasure(theme.unicode)
        let name = Run(measure.padded(title, to: Self.inlineTitle), theme.header)
        let blank = Run(String(repeating: " ", count: Self.inlineTitle))
        return shown.enumerated().map { [$0.offset == 0 ? name : blank] + $0.element }
    }

    private func more(_ count: Int, _ theme: Theme) -> Line {
        Line(text: "\(theme.ellipsis) \(count) more" + Self.more(opensAll), theme.secondary)
    }

    /// Returns the end of a line that stands for more, with the key that shows all.
    static func more(_ key: String) -> String { key.isEmpty ? "" : "  \(key) shows all" }

    private func heading(_ width: Int, _ theme: Theme) -> Line {
        let measure = TextMeasure(theme.unicode)
        let room = width - measure.width(of: title) - measure.width(of: detail.text)
        guard room > 0, !detail.isEmpty else { return [Run(title, theme.header)] }
        return [Run(title, theme.header), Run(String(repeating: " ", count: room))] + detail
    }
}

extension Theme {
    var ellipsis: Character { TextMeasure(unicode).ellipsis }
}

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
