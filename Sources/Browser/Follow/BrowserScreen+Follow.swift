import Dispatch
import FileBrowser
import LiveTable
import YapDatabase

extension BrowserScreen {
    /// Shows from now on what others commit.
    func startFollowing() {
        guard following == nil else { return }
        do {
            following = try Following(file.snapshot) { [weak self] in
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.advance() } }
            }
        } catch {
            isFollowing = false
            report(error)
        }
    }

    func toggleFollowing() {
        isFollowing.toggle()
        if isFollowing {
            startFollowing()
        } else {
            following?.stop()
            following = nil
        }
        notice = Notice(isFollowing ? "Following what others write." : "Standing still: f follows again.")
    }

    /// Works out in the background how the file and the list on screen get to the newest state, and then shows it.
    func advance() {
        guard !isAdvancing, tree.known != nil else { return }
        isAdvancing = true
        // Matches are found anew, and the end of a list that is not counted; how these changed nobody can say before that.
        let stepped = search?.isFilter == true || list.whole != nil ? nil : list.rows?.list
        let step = file.step(lists: stepped.map { [(list: $0, reach: list.visibleRowids)] } ?? [])
        background.run {
            try step.prepare()
        } then: { [weak self] result in
            guard let self else { return }
            isAdvancing = false
            switch result {
            case .success(let advance?): take(advance, stepped)
            case .success(nil): break
            case .failure(let error): report(error)
            }
            following?.look(at: file.snapshot)
            changed()
        }
    }

    private func take(_ advance: FileAdvance, _ stepped: BrowsedList?) {
        let outcomes = file.advance(advance, lists: stepped.map { [$0] } ?? [])
        tree.advance(to: advance.catalog, notes: file.notes, at: now())
        if let stepped, stepped === list.rows?.list, let outcome = outcomes.first {
            if let misfit = list.follow(outcome, at: now()) { notice = Notice("\(misfit)", isWrong: true) }
            if outcome != .none { searchAgain() }
            learnList(listRequests.begin())
        } else if let subject = list.subject {
            reopen(subject)
        }
        refreshRow()
        learnTree(after: learningPause)
    }

    /// Reads the list on screen at the newest state, without taking it away meanwhile.
    private func reopen(_ subject: ListSubject) {
        guard let known = tree.known else { return }
        let request = listRequests.begin()
        let (snapshot, decoder) = (file.snapshot, decoder)
        background.run {
            try OpenedList(subject, snapshot, known.catalog, decoder)
        } then: { [weak self] result in
            guard let self, listRequests.isCurrent(request) else { return }
            switch result {
            case .success(let opened) where list.rows == nil:
                list.show(opened, decoder, at: now())
                layOut()
            case .success(let opened) where search?.isFilter == true: searchAgain(in: opened.content)
            case .success(let opened): list.renew(opened.content, at: now())
            case .failure(let error): list.fail("\(error)")
            }
            learnList(request)
            refreshRow()
            changed()
        }
    }
}

extension ListPane {
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
