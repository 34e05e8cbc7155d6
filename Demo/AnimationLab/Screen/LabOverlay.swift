import LiveTable

/// A box above the screen.
enum LabOverlay {
    /// Text to read: the keys, or a whole change-set.
    case text(Overlay)
    /// The introduction of an example. Keys work as they do without it.
    case introduction(Overlay)
    /// A list of entries to choose from; the chosen one is marked.
    case entries(title: String, [LabEntry], chosen: Int)
}

extension LabOverlay {
    func draw(into grid: inout Grid, theme: Theme) {
        switch self {
        case .text(let overlay), .introduction(let overlay): overlay.draw(into: &grid, in: grid.bounds, theme: theme)
        case .entries(let title, let entries, let chosen):
            Self.list(title, entries, chosen, in: grid.bounds, theme).draw(into: &grid, in: grid.bounds, theme: theme)
        }
    }

    /// Returns the entry of the list at a line of the screen, for a click.
    static func entry(
        atLine y: Int, _ title: String, _ entries: [LabEntry], _ chosen: Int, in screen: Rect, _ theme: Theme
    )
        -> Int?
    {
        let list = list(title, entries, chosen, in: screen, theme)
        let box = list.rect(in: screen, theme: theme)
        let index = y - box.y - 1 + list.offset
        return y > box.y && y < box.maxY - 1 && entries.indices.contains(index) ? index : nil
    }

    private static func list(
        _ title: String, _ entries: [LabEntry], _ chosen: Int, in screen: Rect, _ theme: Theme
    ) -> Overlay {
        let measure = TextMeasure(theme.unicode)
        let width = entries.map { measure.width(of: $0.name) }.max() ?? 0
        let lines = entries.enumerated().map { index, entry -> Line in
            let isChosen = index == chosen
            return [
                Run(isChosen ? String(theme.selectionSymbol) : " ", theme.selectionBar(focused: true)),
                Run(measure.padded(entry.name, to: width + 2), isChosen ? Style(theme.accent) : .plain),
                Run(measure.truncated(entry.title, to: max(10, screen.width - width - 8)), theme.secondary),
            ]
        }
        var overlay = Overlay(title, lines)
        let shown = max(1, overlay.rect(in: screen, theme: theme).height - 2)
        overlay.scroll(by: max(0, chosen - shown + 1), in: screen, theme: theme)
        return overlay
    }

    /// Returns paragraphs, wrapped to a comfortable width.
    static func introduction(
        _ title: String, _ paragraphs: [String], in size: (width: Int, height: Int), _ theme: Theme
    )
        -> LabOverlay
    {
        let width = min(72, max(20, size.width - 8))
        let lines = paragraphs.map { TextMeasure(theme.unicode).wrapped($0, width: width).map { Line(text: $0) } }
        return .introduction(Overlay(title, Array(lines.joined(separator: [[]]))))
    }
}
