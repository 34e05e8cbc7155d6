import LiveTable

extension LabState {
    private static let leastTable = 28
    private static let leastPanel = 40
    private static let leastHeightWithStrip = 6

    var layout: ScreenLayout { layout(focus: focus) }

    private func layout(focus: Focus) -> ScreenLayout {
        // Two tables side by side take room from the panel.
        let room = max(Self.leastTable, screen.size.width - Self.leastPanel - 1)
        let table = beside != .nothing ? min(2 * Self.leastTable + 1, room) : Self.leastTable
        return ScreenLayout(
            width: screen.size.width, height: screen.size.height,
            panes: [.init(least: table, share: 1), .init(least: Self.leastPanel, share: 2)],
            focused: focus == .list ? 0 : 1)
    }

    /// The area of the list. A list without room gets the area that it would have with the focus, so that it is
    /// followed. If the panel does not fit beside the list, the change-set is below it.
    var listPane: Rect {
        let layout = isListShown ? layout : layout(focus: .list)
        return layout.panes[0].splitBottom(stripHeight(layout)).rest
    }
    var stripArea: Rect { layout.panes[0].splitBottom(stripHeight(layout)).bottom.splitLeft(1).rest }
    var isListShown: Bool { !layout.panes[0].isEmpty }
    private func stripHeight(_ layout: ScreenLayout) -> Int {
        let (list, panel) = (layout.panes[0], layout.panes[1])
        return panel.isEmpty && list.height >= Self.leastHeightWithStrip ? list.height / 2 : 0
    }
    /// The panel begins one column after the rule.
    var panelArea: Rect { layout.panes[1].splitLeft(1).rest }

    /// The area of the animated table: with two tables the left half, below a line with their titles.
    var tableArea: Rect { beside != .nothing ? listPane.splitTop(1).rest.splitLeft(halfWidth).left : listPane }
    var besideArea: Rect { listPane.splitTop(1).rest.splitLeft(listPane.width - halfWidth).rest }
    /// Three columns between the tables mark differences.
    private var halfWidth: Int { max(1, (listPane.width - 3) / 2) }
}
