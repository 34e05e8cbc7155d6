import FileReading
import LiveTable

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
        state.search = nil
        following?.stop()
        following = nil
    }

    func showTheme() {
        tree.show(theme, at: now())
        list.show(theme, at: now())
        row.show(theme, at: now())
    }

    func prepareFrame() {
        if let error = list.rows?.takeError() { report(error) }
        list.redrawIfWidened(at: state.screen.lastDrawn)
    }

    var nextTime: Double? {
        [tree.table, list.table, row.table].compactMap { $0.nextFrame(after: state.screen.lastDrawn) }.min()
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
        show(failure: "\(error)")
        state.screen.redraw()
    }
}
