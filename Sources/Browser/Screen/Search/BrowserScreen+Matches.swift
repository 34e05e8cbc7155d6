import FileReading
import LiveTable

extension BrowserScreen {
    func goToMatch(by steps: Int) {
        guard let state = search else {
            guard let last = patterns.last else { return notice = Notice("There was no search yet: press /") }
            return startSearch(last, isFilter: false, isKeysOnly: false)
        }
        if state.isFilter { return perform(steps > 0 ? .selectNext() : .selectPrevious()) }
        list.showWhole(at: now())
        guard let rows = list.rows, state.search.count > 0 else { return }
        let count = state.search.count
        let here = place(of: list.table.selectedPath, rows) ?? (0, 0)
        // In a reversed list the next match is the previous one in the order of the groups.
        let direction = list.selection.isReversed ? -steps : steps
        let rank = state.search.rank(of: here)
        let isHere = rank < count && (state.search[rank].group, state.search[rank].place) == here
        let next = direction > 0 ? (isHere ? rank + 1 : rank) : rank - 1
        if next < 0 || next >= count { notice = Notice("Continued from the other end of the list.") }
        select(state.search[(next + count) % count])
    }

    func jumpToFirst() {
        guard let state = search else { return }
        search?.isJumpPending = false
        select(state.search.ahead.first ?? state.search[0])
    }

    private func select(_ match: ListSearch.Match) {
        guard let rows = list.rows, let path = path(of: match, rows) else {
            return notice = Notice("The match is outside the shown range: R shows all rows.")
        }
        list.update { $0.select(path, source: $1, at: now()) }
        showRow()
    }

    /// Returns the path of a match: at its place, or where a commit has moved it since.
    private func path(of match: ListSearch.Match, _ rows: ListRows) -> RowPath? {
        let groups = rows.list.content.groups
        if groups.indices.contains(match.group),
            let path = rows.list.mappings.path(forIndex: match.place, inGroup: groups[match.group]),
            rows.key(at: path) == .of(rowid: match.rowid)
        {
            return path
        }
        return rows.path(of: .of(rowid: match.rowid))
    }

    /// Returns the group's index and the place in it of a row on the screen.
    func place(of path: RowPath?, _ rows: ListRows) -> (Int, Int)? {
        guard let path, let (group, index) = rows.list.mappings.groupAndIndex(at: path),
            let number = rows.list.content.groups.firstIndex(of: group)
        else { return nil }
        return (number, index)
    }
}
