import LiveTable

/// A box above the screen.
enum LabOverlay {
    /// The introduction of an example. Keys work as they do without it.
    case introduction(Overlay)
    case entries(Entries)

    /// A list of entries to choose from; the chosen one is marked.
    struct Entries {
        let title: String
        let entries: [LabEntry]
        private(set) var chosen: Int

        init(_ title: String, _ entries: [LabEntry], chosen: Int = 0) {
            self.title = title
            self.entries = entries
            self.chosen = chosen
        }
    }

    func draw(into grid: inout Grid, in screen: ScreenState) {
        let box =
            switch self {
            case .introduction(let text): text
            case .entries(let list): list.box(in: screen)
            }
        box.draw(into: &grid, in: grid.bounds, theme: screen.theme)
    }
}

extension LabOverlay.Entries {
    mutating func handle(_ key: Key, page: Int) {
        let steps: [Key: Int] = [
            .down: 1, .character("j"): 1, .up: -1, .character("k"): -1, .pageDown: page, .pageUp: -page,
            .end: entries.count, .character("G"): entries.count, .home: -entries.count, .character("g"): -entries.count,
        ]
        move(by: steps[key] ?? 0)
    }

    mutating func move(by steps: Int) { chosen = min(max(0, chosen + steps), entries.count - 1) }

    /// Chooses the entry at a line of the screen. Returns false if there is none.
    mutating func choose(atLine y: Int, in screen: ScreenState) -> Bool {
        let list = box(in: screen)
        let box = list.rect(in: screen.bounds, theme: screen.theme)
        let index = y - box.y - 1 + list.offset
        guard y > box.y, y < box.maxY - 1, entries.indices.contains(index) else { return false }
        chosen = index
        return true
    }

    fileprivate func box(in screen: ScreenState) -> Overlay {
        let theme = screen.theme
        let measure = TextMeasure(theme.unicode)
        let width = entries.map { measure.width(of: $0.name) }.max() ?? 0
        let lines = entries.enumerated().map { index, entry -> Line in
            let isChosen = index == chosen
            return [
                Run(isChosen ? String(theme.selectionSymbol) : " ", theme.selectionBar(focused: true)),
                Run(measure.padded(entry.name, to: width + 2), isChosen ? Style(theme.accent) : .plain),
                Run(measure.truncated(entry.title, to: max(10, screen.size.width - width - 8)), theme.secondary),
            ]
        }
        var box = Overlay(title, lines)
        let shown = max(1, box.rect(in: screen.bounds, theme: theme).height - 2)
        box.scroll(by: max(0, chosen - shown + 1), in: screen.bounds, theme: theme)
        return box
    }
}
