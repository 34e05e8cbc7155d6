import LiveTable

extension BrowserScreen {
    /// Sets the areas of the tables, after a change of size, of focus, or of the list's head. A table without room gets
    /// the area that it would have with the focus, so that its selection and changes are followed.
    func layOut() {
        let focus = state.focus
        if let area = state.place(of: .tree) { tree.resize(area, isFocused: focus == .tree, at: now()) }
        if let area = state.place(of: .list) {
            list.resize(list.tableArea(in: area), isFocused: focus == .list, at: now())
        }
        if let area = state.place(of: .row) {
            row.resize(area.splitTop(1).rest, isFocused: focus == .row, at: now())
        }
    }

    func move(to pane: BrowserState.Pane) {
        guard pane != state.focus else { return }
        state.focus = pane
        state.typedAhead = []
        state.strokes.reset()
        layOut()
        if pane == .row || state.shownPanes.contains(.row) { showRow() }
    }
}
