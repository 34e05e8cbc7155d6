import FileReading
import ScreenPrograms

extension BrowserScreen {
    /// Reads the selected row in the background if its pane is visible. The next one waits until a read is finished, so
    /// that a held key reads only a few rows.
    func showRow() {
        guard state.shownPanes.contains(.row) else { return }
        guard let rowid = list.selectedRowid, let content = list.rows?.list.content, let known = tree.known else {
            if !list.isReading { row.show(nil, at: now()) }
            return
        }
        guard !state.reading.isRowLoading else { return }
        state.reading.isRowLoading = true
        let request = state.reading.rows.begin()
        let decoder = state.reading.decoder
        background.run {
            try RowDetails(rowid, content, known, decoder)
        } then: { [weak self] result in
            self?.apply(result, rowid, request)
        }
    }

    /// Reads the row again because it may have changed.
    func refreshRow() {
        state.reading.isRowLoading = false
        showRow()
    }

    private func apply(_ result: Result<RowDetails, any Error>, _ rowid: Int64, _ request: Int) {
        guard state.reading.rows.isCurrent(request) else { return }
        state.reading.isRowLoading = false
        switch result {
        case .success(var loaded):
            loaded.neighbours = neighbours
            row.show(loaded, at: now())
            layOut()
        case .failure(let error): report(error)
        }
        state.screen.redraw()
        if list.selectedRowid != rowid { showRow() }
    }

    /// Reads values of rows in the list that are too large to be decoded at once.
    func readLargeRows() {
        guard !state.reading.isReadingLarge, let rows = list.rows else { return }
        let wanted = rows.takeWanted()
        guard !wanted.isEmpty else { return }
        state.reading.isReadingLarge = true
        let (content, decoder, paths) = (rows.list.content, rows.decoder, rows.columns.paths)
        background.run {
            let end = ContinuousClock.now + .milliseconds(100)
            var made: [RowTexts] = []
            // The last ones asked for are on the screen.
            for rowid in wanted.reversed() where made.isEmpty || ContinuousClock.now < end {
                let row = try content.snapshot.work { try content.row(rowid, valueBytes: RowTexts.largeBytes, $0) }
                made.append(RowTexts(row, decoder, paths: paths))
            }
            return made
        } then: { [weak self] result in
            guard let self else { return }
            state.reading.isReadingLarge = false
            guard list.rows === rows else { return }
            switch result {
            case .success(let made):
                for texts in made { rows.take(texts) }
                rows.want(wanted.filter { rowid in !made.contains { $0.rowid == rowid } })
                list.redraw(at: now())
            case .failure(let error): report(error)
            }
            state.screen.redraw()
        }
    }

    /// The rows before and after the selected one in the list.
    private var neighbours: [RowDetails.Neighbour] {
        guard let path = list.table.selectedPath, let rows = list.rows else { return [] }
        return [("before", -1), ("after", 1)].compactMap { name, step in
            let other = RowPath(section: path.section, row: path.row + step)
            guard other.row >= 0, other.row < rows.numberOfRows(in: path.section), let texts = rows.texts(at: other)
            else { return nil }
            return .init(name: name, key: texts.key, rowid: texts.rowid)
        }
    }

    /// Goes to the target of the selected line.
    func followLine() {
        switch row.target {
        case .fold(let path): row.toggleFold(path, at: now())
        case .path(let path):
            guard !row.select(path, at: now()) else { return }
            show(notice: "\(path) is folded away. o unfolds everything.")
        case .place(let place, let rowid): go(to: rowid, at: place)
        case .row(let rowid):
            guard let path = list.rows?.path(of: .of(rowid: rowid)) else { return }
            list.update { $0.select(path, source: $1, at: now()) }
            showRow()
        case .stored(let rowid): goToStored(rowid)
        case .list(let item, let rowid):
            guard let subject = item.subject(by: .key) else { return }
            go(to: rowid, in: subject, item)
        case nil: break
        }
    }

    private func go(to rowid: Int64, at place: ViewPlace) {
        go(to: rowid, in: .view(place.view, groups: [place.group]), .group(view: place.view, name: place.group))
    }

    /// Shows the row with a rowid in its collection, a derived row in the first list that has it.
    private func goToStored(_ rowid: Int64) {
        do {
            if let catalog = tree.known?.catalog, let place = try file.snapshot.derivedPlace(of: rowid, in: catalog) {
                return go(to: rowid, at: place)
            }
            let found = try file.snapshot.row(rowid, valueBytes: 0)
            guard let collection = found.address?.collection else {
                return show(failure: "There is no row \(rowid) in the file.")
            }
            let item = TreeItem.collection(collection)
            go(to: rowid, in: .collection(collection, by: order(of: item)), item)
        } catch {
            report(error)
        }
    }
}
