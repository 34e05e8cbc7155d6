import LiveTable

extension BrowserScreen {
    /// The minimum width in columns for three panes side by side, and for two.
    private static let widthForThree = 100
    private static let widthForTwo = 60

    /// The panes with room, from left to right.
    var shownPanes: [Pane] { shownPanes(focus: focus) }

    private func shownPanes(focus: Pane) -> [Pane] {
        if size.width >= Self.widthForThree { return Pane.allCases }
        if size.width >= Self.widthForTwo { return [.tree, focus == .row ? .row : .list] }
        return [focus]
    }

    var layout: ScreenLayout { layout(focus: focus) }

    private func layout(focus: Pane) -> ScreenLayout {
        let hasAll = size.width >= Self.widthForThree
        let panes = shownPanes(focus: focus).map { pane -> ScreenLayout.Pane in
            switch pane {
            case .tree: .init(least: min(26, size.width), share: 1)
            case .list: .init(least: min(hasAll ? 45 : 33, size.width), share: 8)
            case .row: .init(least: min(hasAll ? 27 : 33, size.width), share: hasAll ? 5 : 8)
            }
        }
        return ScreenLayout(width: size.width, height: size.height, panes: panes)
    }

    /// Returns a pane's area; nil if it has no room.
    func area(of pane: Pane) -> Rect? { area(of: pane, focus: focus) }

    private func area(of pane: Pane, focus: Pane) -> Rect? {
        guard let index = shownPanes(focus: focus).firstIndex(of: pane) else { return nil }
        let area = layout(focus: focus).panes[index]
        return area.isEmpty ? nil : area
    }

    /// Returns a pane's area, or the one that it gets with the focus; nil if the screen is too small for any.
    private func place(of pane: Pane) -> Rect? { area(of: pane) ?? area(of: pane, focus: pane) }

    /// Sets the areas of the tables, after a change of size, of focus, or of the list's head. A table without room gets
    /// the area that it would have with the focus, so that its selection and changes are followed.
    func layOut() {
        if let area = place(of: .tree) { tree.resize(area, isFocused: focus == .tree, at: now()) }
        if let area = place(of: .list) {
            list.resize(list.tableArea(in: area), isFocused: focus == .list, at: now())
        }
        if let area = place(of: .row) {
            row.resize(area.splitTop(1).rest, isFocused: focus == .row, at: now())
        }
    }

    func move(to pane: Pane) {
        guard pane != focus else { return }
        focus = pane
        typedAhead = []
        strokes.reset()
        layOut()
        if pane == .row || shownPanes.contains(.row) { showRow() }
    }
}
