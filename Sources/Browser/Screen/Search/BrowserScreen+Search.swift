import FileReading
import LiveTable
import YapDatabase

extension BrowserScreen {
    /// - Parameters:
    ///   - isKeysOnly: whether only keys are searched, which is many times as fast.
    ///   - start: where to begin; nil: at the selected row.
    ///   - jumps: whether to select the first match.
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

    /// Continues a search in a newer state of its list. The matches stay on the screen until all are known in that
    /// state.
    func carrySearch(to content: ListContent, touched: TouchedRows) {
        guard var state = search else { return }
        state.unfiltered = content
        state.news = (content, state.news?.touched.union(touched) ?? touched)
        search = state
        if state.isFilter { list.replace(content.showing(state.found), at: now()) }
        if !state.isRunning { searchOn(state.request) }
    }

    private static func noneFound(_ content: ListContent) -> [String: FoundOrder] {
        Dictionary(content.groups.map { ($0, FoundOrder()) }, uniquingKeysWith: { first, _ in first })
    }

    /// Ends a search and shows all rows again. Returns false if there was none.
    @discardableResult
    func endSearch() -> Bool {
        guard let ended = search else { return false }
        _ = searchRequests.begin()
        search = nil
        list.rows?.pattern = nil
        list.search = nil
        if ended.isFilter {
            list.replace(ended.unfiltered, at: now())
            countList(listRequests.begin())
        } else {
            list.redraw(at: now())
        }
        showRow()
        return true
    }

    /// Searches in short portions and shows the matches after each.
    func searchOn(_ request: Int) {
        guard var state = search, searchRequests.isCurrent(request) else { return }
        if let news = state.news { state.search = state.search.carried(to: news.content, touched: news.touched) }
        (state.news, state.isRunning) = (nil, true)
        search = state
        let search = state.search
        background.run {
            try search.advanced(until: .now + .milliseconds(60))
        } then: { [weak self] result in
            guard let self, searchRequests.isCurrent(request) else { return }
            self.search?.isRunning = false
            switch result {
            case .success(let search): apply(search, request)
            case .failure(let error as YapDatabaseError) where error.code == .reloadNeeded:
                // Other programs have written; the search continues in the new state, which is being opened.
                if self.search?.news != nil { searchOn(request) } else { advance() }
            case .failure(let error):
                endSearch()
                report(error)
            }
            changed()
        }
    }

    private func apply(_ advanced: ListSearch, _ request: Int) {
        guard let before = search?.search else { return }
        search?.search = advanced
        if search?.isFilter == true {
            if advanced.edition == before.edition { showFound(from: before.count, advanced) } else { replaceFound() }
        }
        if search?.isJumpPending == true, advanced.count > 0 { jumpToFirst() }
        guard advanced.isDone, search?.news == nil else { return searchOn(request) }
        guard search?.hasEnded == false else { return }
        search?.hasEnded = true
        if advanced.count == 0, search?.isFilter == false { showOrigin() }
        tellEnd(of: advanced)
    }

    /// Shows the matches in the newest state instead of those found one after the other.
    private func replaceFound() {
        guard var state = search else { return }
        state.found = Self.noneFound(state.unfiltered)
        search = state
        list.replace(state.unfiltered.showing(state.found), at: now())
        showFound(from: 0, state.search)
    }

    func tellEnd(of advanced: ListSearch) {
        if advanced.count == 0 {
            notice = Notice("Nothing matches \"\(search?.pattern ?? "")\".")
        } else if advanced.count >= ListSearch.mostMatches {
            notice = Notice("Only the first \(RowCount(ListSearch.mostMatches)) matches are kept.")
        } else if advanced.unreadable > 0 {
            notice = Notice("\(RowCount(advanced.unreadable)) rows could not be read.", isWrong: true)
        }
    }

    private func showFound(from start: Int, _ search: ListSearch) {
        guard let state = self.search else { return }
        for index in start..<search.count {
            let match = search[index]
            state.found[search.content.groups[match.group]]?.append([match.rowid])
        }
        if search.isDone { for order in state.found.values { order.end() } }
        guard search.count > start || search.isDone else { return }
        list.reload(at: now())
        reachGoal()
        if list.table.selection == nil { list.perform(.selectFirst, at: now()) }
        showRow()
    }
}
