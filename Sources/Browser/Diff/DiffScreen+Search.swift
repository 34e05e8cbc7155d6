import FileReading
import ScreenPrograms

extension DiffScreen {
    func searchAsTyped(_ text: String) {
        guard !text.isEmpty else {
            endSearch()
            return goBackToOrigin()
        }
        state.searched = text
        search(text, from: place(of: origin) ?? 0, .forward)
    }

    func acceptSearch(_ text: String) {
        let pattern = text.isEmpty ? state.patterns.last ?? "" : text
        guard !pattern.isEmpty else { return cancelTyping() }
        // Again, though it was found while it was typed: what has no match is said only now.
        state.searched = pattern
        search(pattern, from: place(of: origin) ?? 0, .forward)
        origin = nil
    }

    func cancelTyping() {
        endSearch()
        goBackToOrigin()
        origin = nil
    }

    func goToMatch(forward: Bool) {
        guard let pattern = state.searched ?? state.patterns.last else {
            return show(notice: "There was no search yet: press /")
        }
        state.searched = pattern
        let place = place(of: table.selectedPath) ?? 0
        search(pattern, from: forward ? place + 1 : place - 1, forward ? .forward : .backward)
    }

    func endSearch() {
        state.searches.begin()
        searchTest = nil
        state.working = nil
        state.searched = nil
        source.pattern = state.filter.pattern.hasPrefix("=") ? nil : SearchPattern(state.filter.pattern)
        table.reload(source: source, at: now())
    }

    private func goBackToOrigin() {
        guard let origin else { return }
        table.select(origin, source: source, at: now())
        showDetails()
    }

    private func place(of path: RowPath?) -> Int? { path.flatMap { source.sections.place(of: $0) } }

    private func search(_ pattern: String, from start: Int, _ direction: RowSearch.Direction) {
        source.pattern = pattern.hasPrefix("=") ? nil : SearchPattern(pattern)
        table.reload(source: source, at: now())
        do {
            let test = try ChangeTest(pattern)
            searchTest = test
            let search = RowSearch(rows: source.sections.count, from: start, direction)
            searchOn(search, test, source.sections, state.searches.begin())
        } catch {
            // While it is typed, an expression is incomplete.
            if state.prompt == nil { show(failure: "\(error)") }
        }
    }

    /// Searches in short portions.
    private func searchOn(_ search: RowSearch, _ test: ChangeTest, _ sections: ChangeSections, _ request: Int) {
        let (store, reader) = (store, reader)
        state.working = search.rows > 0 ? "searching: \(RowCount(search.looked)) looked at   Esc stops" : nil
        background.run {
            var search = search
            let limit = ContinuousClock.now + .milliseconds(60)
            while search.state == .searching, ContinuousClock.now < limit {
                try search.look(at: 50) { try test.isTrue(for: store[sections.index(at: $0)], reader) }
            }
            return search
        } then: { [weak self] result in
            guard let self, state.searches.isCurrent(request) else { return }
            state.working = nil
            switch result {
            case .failure(let error): show(failure: "\(error)")
            case .success(let search): show(search, test, sections, request)
            }
            state.screen.redraw()
        }
    }

    private func show(_ search: RowSearch, _ test: ChangeTest, _ sections: ChangeSections, _ request: Int) {
        switch search.state {
        case .searching: searchOn(search, test, sections, request)
        case .notFound where show(test.remarks): break
        case .notFound: show(notice: "Nothing matches \"\(state.searched ?? "")\".")
        case .found(let place):
            // The list may have become another meanwhile.
            guard let path = source.sections.path(ofIndex: sections.index(at: place)) else { return }
            table.select(path, source: source, at: now())
            showDetails()
        }
    }
}
