import FileReading
import ScreenPrograms

extension BrowserScreen {
    func goToMatch(by steps: Int) {
        guard let current = state.search else {
            guard let last = state.patterns.last else {
                return show(notice: "There was no search yet: press /")
            }
            return startSearch(last, isFilter: false, isKeysOnly: false)
        }
        if current.isFilter { return perform(steps > 0 ? .selectNext() : .selectPrevious()) }
        list.showWhole(at: now())
        guard let rows = list.rows, current.search.count > 0 else { return }
        let count = current.search.count
        let here = place(of: list.table.selectedPath, rows) ?? (0, 0)
        // In a reversed list the next match is the previous one in the order of the groups.
        let direction = list.selection.isReversed ? -steps : steps
        let rank = current.search.rank(of: here)
        let isHere = rank < count && (current.search[rank].group, current.search[rank].place) == here
        let next = direction > 0 ? (isHere ? rank + 1 : rank) : rank - 1
        if next < 0 || next >= count { show(notice: "Continued from the other end of the list.") }
        select(current.search[(next + count) % count])
    }

    func jumpToFirst() {
        guard let current = state.search else { return }
        state.search?.isJumpPending = false
        select(current.search.ahead.first ?? current.search[0])
    }

    private func select(_ match: ListSearch.Match) {
        guard let rows = list.rows, let path = path(of: match, rows) else {
            return show(notice: "The match is outside the shown range: R shows all rows.")
        }
        list.update { $0.select(path, source: $1, at: now()) }
        showRow()
    }

    /// Returns the path of a match: at its place, or where a commit has moved it since.
    private func path(of match: ListSearch.Match, _ rows: ListSource) -> RowPath? {
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
    func place(of path: RowPath?, _ rows: ListSource) -> (Int, Int)? {
        guard let path, let (group, index) = rows.list.mappings.groupAndIndex(at: path),
            let number = rows.list.content.groups.firstIndex(where: { $0.hasSameBytes(as: group) })
        else { return nil }
        return (number, index)
    }
}
