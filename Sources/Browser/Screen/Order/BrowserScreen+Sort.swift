import FileReading
import ScreenPrograms

extension BrowserScreen {
    /// Opens the menu of the fields that the list can be sorted by.
    func openFieldOrders(isDescending: Bool) {
        guard let orders = fieldOrders(isDescending: isDescending) else {
            return show(notice: "There is no list to do that in.")
        }
        let title = isDescending ? "Sort, the largest first" : "Sort, the smallest first"
        state.menu = OpenMenu(
            menu: fieldMenu(title, orders, on: list.order), purpose: .fieldOrder(orders, isDescending: isDescending))
    }

    /// Returns an order for each column: the shown ones first.
    func fieldOrders(isDescending: Bool) -> [FieldOrder]? {
        guard let columns = list.rows?.columns else { return nil }
        let all = columns.shown.filter { $0 != .key } + columns.all.filter { !columns.shown.contains($0) || $0 == .key }
        return all.compactMap { column in
            column.expression.map { FieldOrder(title: column.title, expression: $0, isDescending: isDescending) }
        }
    }

    func fieldMenu(_ title: String, _ orders: [FieldOrder], on: FieldOrder?) -> Menu {
        let choices = orders.map { Menu.Choice(title: $0.title, isOn: $0.expression == on?.expression) }
        return Menu(title, choices + [Menu.Choice(title: "an expression …", detail: "author.name, price * sales")])
    }

    func choose(_ index: Int, of orders: [FieldOrder], isDescending: Bool) {
        if index < orders.count { return sort(by: orders[index]) }
        state.prompt = Prompt(.sort(isDescending: isDescending), TextField(history: state.expressions))
    }

    func sort(byExpression text: String, isDescending: Bool) {
        if let order = order(byExpression: text, isDescending: isDescending) { sort(by: order) }
    }

    /// What an expression that was typed orders by, which is kept for the next time; nil if nothing was typed, or if it is wrong, which is told.
    func order(byExpression text: String, isDescending: Bool) -> FieldOrder? {
        guard !text.isEmpty else { return nil }
        state.expressions.append(text)
        do {
            _ = try RowExpressions([text])
            return FieldOrder(title: text, expression: text, isDescending: isDescending)
        } catch {
            report(error)
            return nil
        }
    }

    /// Sorts the list by a field, or no longer. Range, reversal, columns, search and filter stay.
    func sort(by order: FieldOrder?) {
        list.showWhole(at: now())
        guard let whole = state.sorting?.base ?? unfiltered else { return }
        let wasSorted = stopSorting()
        list.change(at: now()) { $0.order = order }
        guard let order else {
            if wasSorted { showOrdered(whole) }
            return countList(state.reading.lists.begin())
        }
        begin(order, of: whole, goesToFirst: true)
    }

    /// Sorts a list that is opened again by the field that it was sorted by.
    func resumeOrder() {
        guard let order = list.order, let whole = list.rows?.list.content else { return }
        begin(order, of: whole, goesToFirst: state.reading.goal == nil && list.table.selectedPath?.row == 0)
    }

    /// Ends the work for an order, which stays on the screen. Returns whether there was one.
    @discardableResult func stopSorting() -> Bool {
        guard let sorting = state.sorting else { return false }
        sorting.work.cancel()
        state.reading.sorts.begin()
        state.sorting = nil
        return true
    }

    /// The list without the filter.
    private var unfiltered: ListContent? {
        state.search?.isFilter == true ? state.search?.unfiltered : list.content
    }

    private func begin(_ order: FieldOrder, of whole: ListContent, goesToFirst: Bool) {
        // The counting of the list that was shown before.
        state.reading.lists.begin()
        let work = FieldSort(whole, order.order, state.reading.decoder)
        state.sorting = Sorting(order: order, work: work, base: whole, goesToFirst: goesToFirst)
        run(work, after: nil)
        look(at: work)
    }

    private func run(_ work: FieldSort, after earlier: (sort: FieldSort, touched: TouchedRows)?) {
        let request = state.reading.sorts.begin()
        background.run {
            try work.run(after: earlier)
            return work.sorted()
        } then: { [weak self] result in
            guard let self, state.reading.sorts.isCurrent(request) else { return }
            state.sorting?.isRunning = false
            switch result {
            case .success(let sorted): end(sorted, work)
            case .failure(let error) where error.isGone:
                // Other programs have written; it begins again in the new state, which is being opened.
                if let news = state.sorting?.news { sortAgain(news.content, .all) } else { tryAgain(work) }
            case .failure(let error):
                sort(by: nil)
                report(error)
            }
            state.screen.redraw()
        }
    }

    /// Looks for a newer state. If there is none, it begins again in the same.
    private func tryAgain(_ work: FieldSort) {
        advance()
        background.run(after: 0.1) {
        } then: { [weak self] _ in
            guard let self, let sorting = state.sorting, sorting.work === work, !sorting.isRunning else { return }
            sortAgain(sorting.base, .all)
        }
    }

    private func end(_ sorted: ListContent, _ work: FieldSort) {
        let isFirst = state.sorting?.shown?.isComplete != true
        if let news = state.sorting?.news {
            show(FieldSort.keeping(sorted, in: news.content))
            return sortAgain(news.content, news.touched)
        }
        show(sorted)
        reachGoal()
        guard isFirst else { return }
        let progress = work.progress
        if progress.isCut { show(notice: "Only the first \(RowCount(FieldSort.maxRows)) rows are sorted.") }
        show(progress.remarks)
    }

    /// Shows what is sorted so far, whenever there is a third more.
    private func look(at work: FieldSort) {
        let progress = work.progress
        guard state.sorting?.work === work, !progress.isOver else { return }
        state.screen.redraw()
        let shownRows = state.sorting?.shownRows ?? 0
        // A filter and a search find places, which would be wrong soon.
        let shows = state.search == nil && progress.rows > 0 && progress.rows >= shownRows * 4 / 3
        background.run(after: 0.06) {
            shows ? work.sorted() : nil
        } then: { [weak self] result in
            guard let self, state.sorting?.work === work, state.sorting?.isRunning == true else { return }
            if case .success(let sorted?) = result, state.search == nil, state.sorting?.news == nil {
                state.sorting?.shownRows = progress.rows
                show(sorted)
            }
            look(at: work)
        }
    }

    private func show(_ sorted: ListContent) {
        state.sorting?.shown = sorted
        showOrdered(sorted)
        guard state.sorting?.goesToFirst == true else { return }
        list.perform(.selectFirst, at: now())
        showRow()
    }

    /// Shows the same rows in another order; a search and a filter go on in it.
    private func showOrdered(_ content: ListContent) {
        if state.search?.isFilter != true { list.replace(content, at: now()) }
        carrySearch(to: content, touched: .none)
        showRow()
    }
}

// MARK: Commits of others

extension BrowserScreen {
    /// Takes over a newer state of the list. Its rows keep their order until those that changed are sorted.
    func carryOrder(to content: ListContent, touched: TouchedRows) {
        guard var sorting = state.sorting else { return }
        let shown = sorting.shown.map { FieldSort.keeping($0, in: content) } ?? content
        sorting.news = (content, sorting.news?.touched.union(touched) ?? touched)
        (sorting.base, sorting.shown) = (content, shown)
        state.sorting = sorting
        if state.search?.isFilter != true { list.replace(shown, at: now()) }
        carrySearch(to: shown, touched: touched)
        if !sorting.isRunning { sortAgain(content, sorting.news?.touched ?? touched) }
    }

    /// Sorts a newer state: only what was touched is read again.
    private func sortAgain(_ content: ListContent, _ touched: TouchedRows) {
        guard var sorting = state.sorting else { return }
        let (earlier, work) = (sorting.work, FieldSort(content, sorting.order.order, state.reading.decoder))
        (sorting.work, sorting.base, sorting.isRunning, sorting.news) = (work, content, true, nil)
        state.sorting = sorting
        run(work, after: earlier.progress.isOver ? (earlier, touched) : nil)
    }

    var sortingText: String? { state.sorting?.progressText }
}
