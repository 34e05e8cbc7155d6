import Dispatch
import FileReading
import ScreenPrograms
import FileEngine

extension BrowserScreen {
    /// Begins to show what others commit.
    func startFollowing() {
        guard following == nil else { return }
        do {
            following = try Following(file.snapshot) { [weak self] in
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.advance() } }
            }
        } catch {
            state.follow.isOn = false
            report(error)
        }
    }

    func toggleFollowing() {
        state.follow.isOn.toggle()
        if state.follow.isOn {
            startFollowing()
        } else {
            following?.stop()
            following = nil
        }
        show(notice: state.follow.isOn ? "Following the commits of other programs." : "Not following: f follows again.")
    }

    /// Computes in the background the changes of the file and of the list on screen up to the newest state, then shows
    /// it.
    func advance() {
        guard !state.follow.isAdvancing, tree.known != nil else { return }
        // A search that is about to find the places of all its matches may finish first, within a limit.
        if let search = state.search, search.search.isWalking, search.isRunning,
            now() - state.follow.lastAdvance < Self.longestWait
        {
            following?.look(at: file.snapshot, after: 0.1, patience: patience)
            return
        }
        state.follow.isAdvancing = true
        let content = state.sorting?.base ?? list.content
        // For matches, for an order by a field, and for the end of an uncounted list, the changes cannot be computed.
        let isWhole = state.search?.isFilter != true && list.whole == nil && state.sorting == nil
        let stepped = isWhole ? list.rows?.list : content.map { BrowsedList($0) }
        let step = file.step(lists: stepped.map { [(list: $0, reach: isWhole ? list.visibleRowids : nil)] } ?? [])
        let start = ContinuousClock.now
        background.run {
            try step.prepare()
        } then: { [weak self] result in
            guard let self else { return }
            state.follow.isAdvancing = false
            switch result {
            case .success(let advance?): apply(advance, stepped, isWhole: isWhole)
            case .success(nil):
                sayWhatBecame(of: file.snapshot)
                retry()
            case .failure(let error):
                report(error)
                state.follow.failure = state.screen.message
                giveUpReading()
            }
            state.follow.lastAdvance = now()
            following?.look(at: file.snapshot, after: Self.rest(after: .now - start), patience: patience)
            state.screen.redraw()
        }
    }

    /// Shows that what is still being read cannot be had, because the newest state of the file cannot be opened. A later state has it read again.
    private func giveUpReading() {
        if list.isReading {
            list.fail(Self.notAvailable)
            showRow()
        }
        guard tree.known?.unreadViews.isEmpty == false else { return }
        tree.update(at: now()) { known in
            for view in known.unreadViews { known.fail(view: view, Self.notAvailable) }
        }
    }

    private static let notAvailable = "Not available any more"

    /// Continues a failed read in the same state, because there is no newer one.
    private func retry() {
        let isSearching = state.search.map { !$0.isRunning && !$0.search.isDone } ?? false
        guard isSearching || (list.isReading && list.subject != nil) else { return }
        background.run(after: 0.05) {
        } then: { [weak self] _ in
            guard let self else { return }
            if let search = state.search, !search.isRunning, !search.search.isDone { searchOn(search.request) }
            if list.isReading, let subject = list.subject { reopen(subject) }
        }
    }

    /// The longest time in seconds that a commit waits.
    private static let longestWait = 2.0

    /// Seconds for which a state is held although the writing program waits for its log: a search progresses only
    /// meanwhile.
    private var patience: Double? { state.search.map { $0.search.isDone ? 0.15 : 1 } }

    /// Returns a pause such that a stream of commits takes a fifth of the time, at most ten times a second.
    private static func rest(after work: Duration) -> Double {
        min(longestWait - 0.5, max(0.1, 4 * work.seconds))
    }

    private func apply(_ advance: FileAdvance, _ stepped: BrowsedList?, isWhole: Bool) {
        let before = file.snapshot
        let outcomes = file.advance(advance, lists: stepped.map { [$0] } ?? [])
        sayWhatBecame(of: before)
        tree.advance(to: advance.catalog, notes: file.notes, at: now())
        if let stepped, list.shows(stepped, isWhole: isWhole), let outcome = outcomes.first {
            apply(stepped.content, outcome, advance.touched, isWhole: isWhole)
        } else if let subject = list.subject {
            reopen(subject)
        }
        refreshRow()
        loadTree()
        // Nothing on the screen needs the older state, so it is closed in the background.
        background.run {
            before.loosen()
        } then: { _ in
        }
    }

    /// Says that another file is shown now, or takes back that none can be.
    private func sayWhatBecame(of before: FileSnapshot) {
        if !file.snapshot.isOfSameFile(as: before) {
            show(notice: "Another file has taken the place of \(file.snapshot.path): this is what it holds.")
        } else if let failure = state.follow.failure, state.screen.message == failure {
            show(notice: "The file can be read again.")
        }
        state.follow.failure = nil
    }

    /// Shows the list on screen in the newest state.
    private func apply(_ content: ListContent, _ outcome: Outcome, _ touched: TouchedRows, isWhole: Bool) {
        if isWhole {
            if let misfit = list.follow(outcome, at: now()) { show(failure: "\(misfit)") }
        } else if list.whole != nil, state.sorting == nil {
            list.renew(content, at: now())
        }
        if state.sorting != nil {
            carryOrder(to: content, touched: touched)
        } else {
            carrySearch(to: content, touched: touched)
        }
        countAgain()
        if case .collection(let name, _) = content.subject, content.isComplete {
            tree.update(at: now()) { $0.record(RowCount(content.counts.values.reduce(0, +)), of: name) }
        }
        reachGoal()
        countList(state.reading.lists.begin())
    }

    /// Reads the list on screen in the newest state and keeps the old rows visible meanwhile.
    private func reopen(_ subject: ListSubject) {
        guard let known = tree.known else { return }
        let request = state.reading.lists.begin()
        let (snapshot, decoder) = (file.snapshot, state.reading.decoder)
        background.run {
            try OpenedList(subject, snapshot, known.catalog, decoder)
        } then: { [weak self] result in
            guard let self, state.reading.lists.isCurrent(request) else { return }
            switch result {
            case .success(let opened) where list.rows == nil: show(opened)
            case .success(let opened) where state.sorting != nil: carryOrder(to: opened.content, touched: .all)
            case .success(let opened) where state.search?.isFilter == true:
                carrySearch(to: opened.content, touched: .all)
            case .success(let opened): list.renew(opened.content, at: now())
            case .failure(let error as YapDatabaseError) where error.code == .reloadNeeded: return advance()
            case .failure(let error): list.fail("\(error)")
            }
            countList(request)
            resumeSearch()
            refreshRow()
            handleTypedAhead()
            state.screen.redraw()
        }
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension ListPane {
    /// Whether a list that was advanced is still on the screen, as a whole or in part.
    fileprivate func shows(_ stepped: BrowsedList, isWhole: Bool) -> Bool {
        isWhole ? stepped === rows?.list : stepped.subject == subject && rows != nil
    }

    /// The rows on the screen, whose content is compared.
    fileprivate var visibleRowids: [Int64] {
        var rowids: [Int64] = selectedRowid.map { [$0] } ?? []
        for line in 0..<table.height {
            if case .row(let key, _) = table.hit(x: 0, y: line, at: .infinity), let rowid = key.rowid {
                rowids.append(rowid)
            }
        }
        return rowids
    }
}
