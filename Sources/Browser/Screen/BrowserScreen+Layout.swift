import LiveTable

extension BrowserScreen {
    /// Columns from which all three panes are side by side, and from which two are.
    private static let widthForThree = 100
    private static let widthForTwo = 60

    /// The panes that have room, from left to right.
    var shownPanes: [Pane] {
        if size.width >= Self.widthForThree { return Pane.allCases }
        if size.width >= Self.widthForTwo { return [.tree, focus == .row ? .row : .list] }
        return [focus]
    }

    var layout: ScreenLayout {
        let hasAll = size.width >= Self.widthForThree
        let panes = shownPanes.map { pane -> ScreenLayout.Pane in
            switch pane {
            case .tree: .init(least: min(26, size.width), share: 1)
            case .list: .init(least: min(hasAll ? 45 : 33, size.width), share: 8)
            case .row: .init(least: min(hasAll ? 27 : 33, size.width), share: hasAll ? 5 : 8)
            }
        }
        return ScreenLayout(width: size.width, height: size.height, panes: panes)
    }

    /// Where a pane is; nil while it has no room.
    func area(of pane: Pane) -> Rect? {
        guard let index = shownPanes.firstIndex(of: pane) else { return nil }
        let area = layout.panes[index]
        return area.isEmpty ? nil : area
    }

    /// Gives the tables their places; needed after a new size, a change of focus, and another head of the list.
    func layOut() {
        if let area = area(of: .tree) { tree.resize(area, isFocused: focus == .tree, at: now()) }
        if let area = area(of: .list) {
            list.resize(list.tableArea(in: area), isFocused: focus == .list, at: now())
        }
        if let area = area(of: .row) {
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
