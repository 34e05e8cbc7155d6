import FileReading
import ScreenPrograms

extension BrowserScreen {
    /// Shows the list of the selected line of the tree, unless it is shown already.
    func showSelected() {
        guard let item = tree.selected else { return showNothing("The file holds nothing") }
        if let (view, groups) = tree.markedGroups { return show(.view(view, groups: groups)) }
        if case .view(let name) = item, let reason = reasonForNoPages(ofView: name) {
            return showNothing(reason, isFailure: true)
        }
        guard let subject = item.subject(by: order(of: item)) else {
            endSearch()
            showNothing(item.hasNoRows)
            showRow()
            return
        }
        show(subject)
    }

    private func showNothing(_ text: String, isFailure: Bool = false) {
        endCounting()
        stopSorting()
        // Cancels a list that is being loaded.
        state.reading.lists.begin()
        list.showNothing(text, isFailure: isFailure)
    }

    /// Loads a list and shows it.
    /// - Parameter searched: the search or filter of the list before, to be repeated in it.
    func show(_ subject: ListSubject, searching searched: ListSearchState? = nil) {
        guard subject != list.subject || list.failure != nil, let known = tree.known else { return }
        endCounting()
        stopSorting()
        endSearch()
        state.reading.searchToResume = searched
        list.expect(subject)
        layOut()
        let request = state.reading.lists.begin()
        let (snapshot, decoder) = (file.snapshot, state.reading.decoder)
        background.run {
            try OpenedList(subject, snapshot, known.catalog, decoder)
        } then: { [weak self] result in
            self?.apply(result, request)
        }
    }

    private func apply(_ result: Result<OpenedList, any Error>, _ request: Int) {
        guard state.reading.lists.isCurrent(request) else { return }
        switch result {
        case .success(let opened):
            show(opened)
            countList(request)
            resumeOrder()
            resumeSearch()
        case .failure(let error) where error.isGone:
            // The list is read in the newest state, which is being opened.
            return advance()
        case .failure(let error):
            if case .collection(let name, .key)? = list.subject, showAsStored(name, error) { return }
            list.fail("\(error)")
        }
        showRow()
        handleTypedAhead()
        state.screen.redraw()
    }

    /// Shows a list that has been loaded.
    func show(_ opened: OpenedList) {
        list.show(opened, state.reading.decoder, at: now())
        layOut()
        if let note = opened.content.damage.first { show(notice: note) }
        reachGoal()
    }

    /// Repeats the search or filter of the list before.
    func resumeSearch() {
        guard let searched = state.reading.searchToResume, list.rows != nil else { return }
        state.reading.searchToResume = nil
        // A filter begins without rows, so the selected row must be found again.
        if searched.isFilter, let subject = list.subject, state.reading.goal?.subject != subject,
            let rowid = list.selectedRowid
        {
            state.reading.goal = Goal(subject: subject, target: .row(rowid))
        }
        resume(searched)
    }

    /// Shows the rows by rowid if the index of the keys is damaged. Returns false if that was tried already.
    private func showAsStored(_ name: StoredText, _ error: any Error) -> Bool {
        guard !error.isGone, state.reading.orders[name] == nil else { return false }
        state.reading.orders[name] = .rowid
        show(.collection(name, by: .rowid), searching: state.reading.searchToResume)
        show(failure: "Ordered by rowid, because its keys cannot be read: \(error)")
        state.screen.redraw()
        return true
    }

    /// Counts the rows in short portions.
    func countList(_ request: Int) {
        guard let content = list.content, !content.isComplete, state.sorting == nil else { return }
        background.run {
            let end = ContinuousClock.now + .milliseconds(60)
            try content.loadAll(isCancelled: { ContinuousClock.now > end })
        } then: { [weak self] result in
            guard let self, state.reading.lists.isCurrent(request) else { return }
            if case .failure(let error) = result { return report(error) }
            if list.whole == nil {
                list.reload(at: now())
            } else if content.isComplete {
                list.showWhole(at: now())
                showRow()
            }
            reachGoal()
            if content.isComplete, let loss = content.loss { show(failure: loss) }
            countList(request)
            state.screen.redraw()
        }
    }

    /// Selects the goal as soon as its place is known.
    func reachGoal() {
        guard let goal = state.reading.goal, goal.subject == list.subject, let rows = list.rows else { return }
        switch goal.target {
        case .row(let rowid): reach(rowid, rows)
        case .key(let text):
            state.reading.goal = nil
            // Sets the goal again if nothing can be read before the next state arrives.
            if goToRow(withKey: text, rows) { return }
            guard rows.list.content.isComplete else { return state.reading.goal = goal }
            state.screen.message = missing(text)
        case .command(let command):
            guard !list.mustBeCounted(for: command) else { return }
            state.reading.goal = nil
            list.perform(command, at: now())
            showRow()
        }
    }

    private func reach(_ rowid: Int64, _ rows: ListSource) {
        guard let path = rows.path(of: .of(rowid: rowid)) else {
            if rows.list.content.isComplete, !rows.hasError {
                state.reading.goal = nil
                show(notice: "The row is not among the shown ones.")
            }
            return
        }
        state.reading.goal = nil
        list.update { table, source in
            table.select(path, source: source, at: now())
            table.perform(.center, source: source, at: now())
            table.finishAnimation()
        }
    }

    /// Shows a list with one of its rows selected.
    func go(to rowid: Int64?, in subject: ListSubject, _ item: TreeItem) {
        state.reading.goal = rowid.map { Goal(subject: subject, target: .row($0)) }
        tree.select(item, at: now())
        if subject == list.subject { reachGoal() } else { show(subject) }
        move(to: .list)
        showRow()
    }

    func order(of item: TreeItem) -> ListSubject.RowOrder {
        if case .collection(let name) = item { state.reading.orders[name] ?? .key } else { .key }
    }

    private func reasonForNoPages(ofView name: String) -> String? {
        guard let view = tree.known?.catalog.views.first(where: { $0.name == name }), !view.hasPages else { return nil }
        return view.damage.first ?? "The view \(name) has no pages."
    }
}

extension TreeItem {
    /// The text in place of the list for an item without rows.
    fileprivate var hasNoRows: String {
        switch self {
        case .other(let name): "\(name) has no rows to list"
        case .fact, .note: "Select a collection, a view or an index"
        default: "Nothing to list"
        }
    }
}
