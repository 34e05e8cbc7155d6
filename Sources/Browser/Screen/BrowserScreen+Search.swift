import FileBrowser
import LiveTable

extension BrowserScreen {
    /// - Parameters:
    ///   - isKeysOnly: whether values are left alone, which is many times as quick.
    ///   - start: where to begin; nil: at the selected row.
    ///   - jumps: whether the first match is to be selected.
    func startSearch(
        _ pattern: String, isFilter: Bool, isKeysOnly: Bool, from start: (group: Int, place: Int)? = nil,
        jumps: Bool = true
    ) {
        endSearch()
        list.showWhole(at: now())
        guard let rows = list.rows else { return }
        let content = rows.list.content
        let found = Self.noneFound(content)
        let start = isFilter ? (0, 0) : start ?? place(of: list.table.selectedPath, rows) ?? (0, 0)
        let request = searchRequests.begin()
        search = ListSearchState(
            pattern: pattern, isFilter: isFilter, isKeysOnly: isKeysOnly,
            search: ListSearch(pattern, content, decoder, isKeysOnly: isKeysOnly, from: start),
            unfiltered: content, found: found, isJumpPending: !isFilter && jumps, request: request)
        rows.pattern = SearchPattern(pattern)
        list.search = (pattern, isFilter, isKeysOnly)
        if isFilter { list.replace(content.showing(found), at: now()) } else { list.redraw(at: now()) }
        searchOn(request)
    }

    /// Searches again in another state of the list, with what is shown left alone until it is done.
    func searchAgain(in content: ListContent? = nil) {
        guard let state = search, let content = content ?? list.rows?.list.content else { return }
        let request = searchRequests.begin()
        finish(ListSearch(state.pattern, content, decoder, isKeysOnly: state.isKeysOnly), state, request)
    }

    private func finish(_ search: ListSearch, _ state: ListSearchState, _ request: Int) {
        background.run {
            try search.advanced(until: .now + .milliseconds(60))
        } then: { [weak self] result in
            guard let self, searchRequests.isCurrent(request) else { return }
            switch result {
            case .success(let search) where !search.isDone: finish(search, state, request)
            case .success(let search): replaceSearch(search, state, request)
            case .failure(let error):
                endSearch()
                report(error)
            }
            changed()
        }
    }

    private func replaceSearch(_ search: ListSearch, _ state: ListSearchState, _ request: Int) {
        self.search = ListSearchState(
            pattern: state.pattern, isFilter: state.isFilter, isKeysOnly: state.isKeysOnly, search: search,
            unfiltered: search.content,
            found: Self.noneFound(search.content), isJumpPending: false, request: request)
        guard state.isFilter, let found = self.search?.found else { return }
        list.replace(search.content.showing(found), at: now())
        showFound(from: 0, search)
    }

    private static func noneFound(_ content: ListContent) -> [String: FoundOrder] {
        Dictionary(content.groups.map { ($0, FoundOrder()) }, uniquingKeysWith: { first, _ in first })
    }

    /// Ends a search and shows all rows again. False when there was none.
    @discardableResult
    func endSearch() -> Bool {
        guard let ended = search else { return false }
        _ = searchRequests.begin()
        search = nil
        list.rows?.pattern = nil
        list.search = nil
        if ended.isFilter {
            list.replace(ended.unfiltered, at: now())
            learnList(listRequests.begin())
        } else {
            list.redraw(at: now())
        }
        showRow()
        return true
    }

    /// Searches in short portions, and shows after each what it has found.
    private func searchOn(_ request: Int) {
        guard let state = search, searchRequests.isCurrent(request) else { return }
        let search = state.search
        background.run {
            try search.advanced(until: .now + .milliseconds(60))
        } then: { [weak self] result in
            guard let self, searchRequests.isCurrent(request) else { return }
            switch result {
            case .success(let search): take(search, request)
            case .failure(let error):
                endSearch()
                report(error)
            }
            changed()
        }
    }

    private func take(_ advanced: ListSearch, _ request: Int) {
        guard let before = search?.search.count else { return }
        search?.search = advanced
        if search?.isFilter == true { showFound(from: before, advanced) }
        if search?.isJumpPending == true, advanced.count > 0 { jumpToFirst() }
        guard advanced.isDone else { return searchOn(request) }
        if advanced.count == 0, search?.isFilter == false { showOrigin() }
        tellEnd(of: advanced)
    }

    func tellEnd(of advanced: ListSearch) {
        if advanced.count == 0 {
            notice = Notice("Nothing matches \"\(search?.pattern ?? "")\".")
        } else if advanced.count >= ListSearch.mostMatches {
            notice = Notice("Only the first \(RowCount(ListSearch.mostMatches)) matches are taken.")
        } else if advanced.unreadable > 0 {
            notice = Notice("\(RowCount(advanced.unreadable)) rows could not be read.", isWrong: true)
        }
    }

    private func showFound(from start: Int, _ search: ListSearch) {
        guard let state = self.search else { return }
        for index in start..<search.count {
            let match = search[index]
            state.found[state.unfiltered.groups[match.group]]?.append([match.rowid])
        }
        if search.isDone { for order in state.found.values { order.end() } }
        guard search.count > start || search.isDone else { return }
        list.reload(at: now())
        reachGoal()
        if list.table.selection == nil { list.perform(.selectFirst, at: now()) }
        showRow()
    }
}
