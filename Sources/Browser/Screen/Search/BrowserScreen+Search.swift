import FileReading
import ScreenPrograms
import FileEngine
import ListChanges

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
        let search: ListSearch
        do {
            search = try ListSearch.of(
                pattern, isFilter: isFilter, content, state.reading.decoder, isKeysOnly, from: start)
        } catch {
            return report(error)
        }
        let request = state.reading.searches.begin()
        state.search = ListSearchState(
            pattern: pattern, isFilter: isFilter, isKeysOnly: isKeysOnly,
            search: search,
            unfiltered: content, found: found, isJumpPending: !isFilter && jumps, request: request)
        rows.pattern = SearchPattern(isFilter ? FilterPattern(pattern).text : pattern)
        list.search = (pattern, isFilter, isKeysOnly)
        if isFilter { list.replace(content.showing(found), at: now()) } else { list.redraw(at: now()) }
        searchOn(request)
    }

    /// Continues a search in a newer state of its list. The matches stay on the screen until all are known in that
    /// state.
    func carrySearch(to content: ListContent, touched: TouchedRows) {
        guard var current = state.search else { return }
        current.unfiltered = content
        current.news = (content, current.news?.touched.union(touched) ?? touched)
        state.search = current
        if current.isFilter { list.replace(content.showing(current.found), at: now()) }
        if !current.isRunning { searchOn(current.request) }
    }

    private static func noneFound(_ content: ListContent) -> ExactDictionary<FoundOrder> {
        ExactDictionary(content.groups.map { ($0, FoundOrder()) })
    }

    /// Ends a search and shows all rows again. Returns false if there was none.
    @discardableResult
    func endSearch() -> Bool {
        guard let ended = state.search else { return false }
        ended.search.cancel()
        state.reading.searches.begin()
        state.search = nil
        list.rows?.pattern = nil
        list.search = nil
        if ended.isFilter {
            list.replace(ended.unfiltered, at: now())
            countList(state.reading.lists.begin())
        } else {
            list.redraw(at: now())
        }
        showRow()
        return true
    }

    /// Searches in short portions and shows the matches after each.
    func searchOn(_ request: Int) {
        guard var current = state.search, state.reading.searches.isCurrent(request) else { return }
        if let news = current.news { current.search = current.search.carried(to: news.content, touched: news.touched) }
        (current.news, current.isRunning) = (nil, true)
        state.search = current
        let search = current.search
        background.run {
            try search.advanced(until: .now + .milliseconds(60))
        } then: { [weak self] result in
            guard let self, state.reading.searches.isCurrent(request) else { return }
            state.search?.isRunning = false
            switch result {
            case .success(let search): apply(search, request)
            case .failure(let error as YapDatabaseError) where error.code == .reloadNeeded:
                // Other programs have written; the search continues in the new state, which is being opened.
                if state.search?.news != nil { searchOn(request) } else { advance() }
            case .failure(let error):
                endSearch()
                report(error)
            }
            state.screen.redraw()
        }
    }

    private func apply(_ advanced: ListSearch, _ request: Int) {
        guard let before = state.search?.search else { return }
        state.search?.search = advanced
        if state.search?.isFilter == true {
            if advanced.edition == before.edition { showFound(from: before.count, advanced) } else { replaceFound() }
        }
        if state.search?.isJumpPending == true, advanced.count > 0 { jumpToFirst() }
        guard advanced.isDone, state.search?.news == nil else { return searchOn(request) }
        guard state.search?.hasEnded == false else { return }
        state.search?.hasEnded = true
        if advanced.count == 0, state.search?.isFilter == false { showOrigin() }
        tellEnd(of: advanced)
    }

    /// Shows the matches in the newest state instead of those found one after the other.
    private func replaceFound() {
        guard var current = state.search else { return }
        current.found = Self.noneFound(current.unfiltered)
        state.search = current
        list.replace(current.unfiltered.showing(current.found), at: now())
        showFound(from: 0, current.search)
    }

    func tellEnd(of advanced: ListSearch) {
        if show(advanced.remarks) { return }
        if advanced.count == 0 {
            let pattern = state.search?.pattern ?? ""
            // Of a text that could be meant as a condition.
            let isLikeCondition = state.search?.isFilter == true && pattern.contains(/\w\s*[=<>]/)
            show(notice: "Nothing matches \"\(pattern)\"." + (isLikeCondition ? " A condition begins with =" : ""))
        } else if advanced.count >= ListSearch.maxMatches {
            show(notice: "Only the first \(RowCount(ListSearch.maxMatches)) matches are kept.")
        } else if advanced.unreadable > 0 {
            show(failure: "\(RowCount(advanced.unreadable)) rows could not be read.")
        }
    }

    private func showFound(from start: Int, _ search: ListSearch) {
        guard let current = state.search else { return }
        for index in start..<search.count {
            let match = search[index]
            current.found[search.content.groups[match.group]]?.append([match.rowid])
        }
        if search.isDone { for order in current.found.values { order.end() } }
        guard search.count > start || search.isDone else { return }
        list.reload(at: now())
        reachGoal()
        if list.table.selection == nil { list.perform(.selectFirst, at: now()) }
        showRow()
    }
}

extension ListSearch {
    /// A filter may be a text, a condition, or both: ``FilterPattern``.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if the condition is wrong.
    fileprivate static func of(
        _ pattern: String, isFilter: Bool, _ content: ListContent, _ decoder: RowDecoder, _ isKeysOnly: Bool,
        from start: (group: Int, place: Int)
    ) throws -> ListSearch {
        let filter = FilterPattern(pattern)
        guard isFilter, let condition = filter.condition else {
            return ListSearch(pattern, content, decoder, isKeysOnly: isKeysOnly, from: start)
        }
        let expressions = try RowExpressions([condition], hasCondition: true, decoder: decoder)
        if filter.text.isEmpty { return ListSearch(expressions, content, decoder) }
        return ListSearch(filter.text, inKeysAlone: isKeysOnly, and: expressions, content, decoder)
    }
}
