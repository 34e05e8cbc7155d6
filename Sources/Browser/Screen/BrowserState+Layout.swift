import LiveTable

extension BrowserState {
    /// The minimum width in columns for three panes side by side, and for two.
    private static let widthForThree = 100
    private static let widthForTwo = 60

    /// The panes with room, from left to right.
    var shownPanes: [Pane] { shownPanes(focus: focus) }

    private func shownPanes(focus: Pane) -> [Pane] {
        if screen.size.width >= Self.widthForThree { return Pane.allCases }
        if screen.size.width >= Self.widthForTwo { return [.tree, focus == .row ? .row : .list] }
        return [focus]
    }

    var layout: ScreenLayout { layout(focus: focus) }

    private func layout(focus: Pane) -> ScreenLayout {
        let hasAll = screen.size.width >= Self.widthForThree
        let panes = shownPanes(focus: focus).map { pane -> ScreenLayout.Pane in
            switch pane {
            case .tree: .init(least: min(26, screen.size.width), share: 1)
            case .list: .init(least: min(hasAll ? 45 : 33, screen.size.width), share: 8)
            case .row: .init(least: min(hasAll ? 27 : 33, screen.size.width), share: hasAll ? 5 : 8)
            }
        }
        return ScreenLayout(width: screen.size.width, height: screen.size.height, panes: panes)
    }

    /// Returns a pane's area; nil if it has no room.
    func area(of pane: Pane) -> Rect? { area(of: pane, focus: focus) }

    private func area(of pane: Pane, focus: Pane) -> Rect? {
        guard let index = shownPanes(focus: focus).firstIndex(of: pane) else { return nil }
        let area = layout(focus: focus).panes[index]
        return area.isEmpty ? nil : area
    }

    /// Returns a pane's area, or the one that it gets with the focus; nil if the screen is too small for any.
    func place(of pane: Pane) -> Rect? { area(of: pane) ?? area(of: pane, focus: pane) }
}
