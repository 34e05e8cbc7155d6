import FileEngine
import FileReading
import ScreenPrograms

/// The whole screen: tree, list and row, and boxes above them. It knows no terminal: it handles events, and returns its
/// content on request.
@MainActor final class BrowserScreen: ScreenProgram {
    var state: BrowserState
    let file: BrowsedFile
    let tree: TreePane
    let list: ListPane
    let row: RowPane
    let background: any Background
    let now: () -> Double
    /// The watch for commits of others, while they are shown.
    var following: Following?

    init(
        file: BrowsedFile, options: BrowserOptions, keys: BrowserKeys, theme: Theme,
        size: (width: Int, height: Int), background: any Background, now: @escaping () -> Double
    ) {
        self.file = file
        self.now = now
        self.background = background
        state = BrowserState(screen: ScreenState(size: size, theme: theme), keys: keys, follows: options.follows)
        let tableOptions = TableOptions(theme: theme, motion: options.motion)
        tree = TreePane(tableOptions)
        list = ListPane(tableOptions)
        row = RowPane(tableOptions)
    }

    /// Begins to read. The first frame does not wait for it.
    func start() {
        tree.setProgress("reading…")
        layOut()
        let snapshot = file.snapshot
        background.run {
            try snapshot.catalog()
        } then: { [weak self] result in
            self?.apply(result)
        }
    }

    /// Abandons work under way.
    func stop() {
        state.reading.abandon()
        state.search?.search.cancel()
        state.search = nil
        state.sorting?.work.cancel()
        endCounting()
        removeTemporaryFiles()
        following?.stop()
        following = nil
    }

    func showTheme() {
        tree.show(theme, at: now())
        list.show(theme, at: now())
        state.counting?.pane.show(theme, at: now())
        row.show(theme, at: now())
    }

    func prepareFrame() {
        if let error = list.rows?.takeError() { report(error) }
        list.redrawIfWidened(at: state.screen.lastDrawn)
        readLargeRows()
    }

    var nextTime: Double? {
        [tree.table, list.table, row.table, state.counting?.pane.table]
            .compactMap { $0?.nextFrame(after: state.screen.lastDrawn) }.min()
    }

    private func apply(_ result: Result<Catalog, any Error>) {
        tree.setProgress(nil)
        switch result {
        case .success(let catalog):
            tree.show(TreeKnowledge(catalog, notes: file.notes), at: now())
            if let note = file.notes.first { show(notice: note) }
            showSelected()
            loadTree()
            if state.follow.isOn { startFollowing() }
        case .failure(let error): report(error)
        }
        state.screen.redraw()
    }

    func report(_ error: any Error) {
        // An unlocked state was overwritten: opens the newest one.
        if (error as? YapDatabaseError)?.code == .reloadNeeded { return advance() }
        show(failure: sentence(ofSystem: error))
        state.screen.redraw()
    }
}

extension BrowserScreen {
    func copyValue() {
        switch state.focus {
        case .tree: copy(tree.selectedTitle, what: "the name")
        case .list where state.counting != nil: copy(state.counting?.pane.selected?.value.text, what: "the value")
        case .list: copy(list.selectedTexts?.key, what: "the key")
        case .row:
            let isPart = row.selectedColumn?.value.isWhole == false
            guard let bytes = row.copiedBytes else {
                return copy(row.copiedValue, what: isPart ? "what is read of the value" : "the value")
            }
            let notice = "Copied the stored bytes, \(bytes.count) of them, if the terminal lets programs copy."
            state.screen.request(.copyBytes(bytes, notice: notice))
        }
    }

    func copyPath() {
        switch state.focus {
        case .tree: copy(tree.selectedTitle, what: "the name")
        case .list: copy(list.selectedTexts.map { "\($0.collection)/\($0.key)" }, what: "the path")
        case .row: copy(row.copiedPath, what: "the path")
        }
    }

    private func copy(_ text: String?, what: String) {
        guard let text else { return show(notice: "There is nothing to copy here.") }
        let notice = "Copied \(what), \(text.utf8.count) bytes, if the terminal lets programs copy."
        state.screen.request(.copy(text, notice: notice))
    }
}

extension BrowserScreen {
    /// Sets the areas of the tables, after a change of size, of focus, or of the list's head. A table without room gets
    /// the area that it would have with the focus, so that its selection and changes are followed.
    func layOut() {
        let focus = state.focus
        if let area = state.place(of: .tree) { tree.resize(area, isFocused: focus == .tree, at: now()) }
        if let area = state.place(of: .list) {
            list.resize(list.tableArea(in: area), isFocused: focus == .list, at: now())
            if let pane = state.counting?.pane {
                pane.resize(pane.tableArea(in: area), isFocused: focus == .list, at: now())
            }
        }
        if let area = state.place(of: .row) {
            row.resize(area.splitTop(1).rest, isFocused: focus == .row, at: now())
        }
    }

    func move(to pane: BrowserState.Pane) {
        guard pane != state.focus else { return }
        state.focus = pane
        state.typedAhead = []
        state.strokes.reset()
        layOut()
        if pane == .row || state.shownPanes.contains(.row) { showRow() }
    }
}

extension BrowserScreen {
    func reverse() {
        list.change(at: now()) { $0.selection.isReversed.toggle() }
        showRow()
    }

    /// Switches between the orders of the list, or opens a menu if there are more than two.
    func sort() {
        if list.order != nil { return sort(by: nil) }
        let orders = self.orders(of: list.subject)
        guard orders.count > 1, let now = orders.firstIndex(where: { $0.subject == list.subject }) else {
            return show(notice: "Only collections and indexes have a choice of order.")
        }
        if orders.count == 2 { return sort(orders[1 - now].subject) }
        let choices = orders.enumerated().map { Menu.Choice(title: $1.title, isOn: $0 == now) }
        state.menu = OpenMenu(menu: Menu("Sorted by", choices), purpose: .order(orders.map(\.subject)))
    }

    /// Returns the same rows in each available order.
    private func orders(of subject: ListSubject?) -> [(title: String, subject: ListSubject)] {
        switch subject {
        case .collection(let name, _):
            return [("key", .collection(name, by: .key)), ("as stored", .collection(name, by: .rowid))]
        case .index(let name, _):
            let columns = tree.known?.catalog.indexes.first { $0.name == name }?.columns ?? []
            return [("as stored", .index(name, by: nil))] + columns.map { ($0, .index(name, by: $0)) }
        default: return []
        }
    }

    /// Shows the rows in another order. Range, reversal, columns, search and filter stay.
    func sort(_ subject: ListSubject) {
        let (rowid, searched) = (list.selectedRowid, state.search)
        if case .collection(let name, let order) = subject { state.reading.orders[name] = order }
        list.copySettings(to: subject)
        if case .index(let name, let column) = subject {
            tree.select(column.map { .column(index: name, name: $0) } ?? .index(name), at: now())
        }
        if let rowid { state.reading.goal = Goal(subject: subject, target: .row(rowid)) }
        show(subject, searching: searched)
    }
}
