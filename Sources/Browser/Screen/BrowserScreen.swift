import FileReading
import LiveTable

/// The whole screen: tree, list and row, and boxes above them. It knows no terminal: it handles events, and returns its
/// content on request.
@MainActor final class BrowserScreen {
    enum Pane: Int, CaseIterable, Sendable {
        case tree
        case list
        case row
    }

    let file: BrowsedFile
    private(set) var theme: Theme
    let now: () -> Double
    let background: any Background
    let tree: TreePane
    let list: ListPane
    let row: RowPane
    var focus = Pane.tree
    var size: (width: Int, height: Int)
    let keys: BrowserKeys
    var strokes: KeyReader
    var decoder = RowDecoder()
    /// The order of each collection that is not shown by its keys.
    var orders: [StoredText: ListSubject.RowOrder] = [:]

    /// Keys for a list that is being loaded.
    var typedAhead: [InputEvent] = []
    var help: Overlay?
    var menu: OpenMenu?
    var prompt: Prompt?
    var notice: Notice? { didSet { lastNotice = notice ?? lastNotice } }
    /// The last notice, to be read in full later.
    private(set) var lastNotice: Notice?
    var search: ListSearchState?
    var following: Following?
    /// Whether a newer state of the file is being opened.
    var isAdvancing = false
    /// When a newer state was last shown, on the screen's clock.
    var lastAdvance = 0.0
    /// The state of finding out what the tree shows.
    var treeLoading = TreeLoading()
    /// The position before the search that is being typed.
    var searchOrigin: SearchOrigin?
    /// Whether commits of others are shown.
    var isFollowing: Bool
    /// The time of the frame on the screen.
    var lastDrawn = 0.0
    /// Requests for lists, rows and counts; a newer request makes earlier ones stale.
    let listRequests = LatestRequest()
    let rowRequests = LatestRequest()
    let countRequests = LatestRequest()
    let searchRequests = LatestRequest()
    /// Earlier patterns, the oldest first.
    var patterns: [String] = []
    var isRowLoading = false
    /// What to select in the list that is being loaded.
    var goal: Goal?
    /// The search or filter to repeat in it.
    var searchToResume: ListSearchState?

    /// Ends the browser; set by the owner of the loop.
    var quit: () -> Void = {}
    /// Switches the mouse and returns whether it is on.
    var toggleMouse: () -> Bool = { true }
    /// Puts text on the terminal's clipboard.
    var copy: (String) throws -> Void = { _ in }
    /// Called when something must be redrawn.
    var changed: () -> Void = {}

    init(
        file: BrowsedFile, options: BrowserOptions, keys: BrowserKeys, theme: Theme,
        size: (width: Int, height: Int), background: any Background, now: @escaping () -> Double
    ) {
        self.file = file
        self.keys = keys
        self.size = size
        self.now = now
        self.background = background
        strokes = KeyReader(keys.map)
        self.theme = theme
        isFollowing = options.follows
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

    /// Adapts the theme to the terminal's background.
    func show(on background: Theme.Background) {
        theme.background = background
        tree.show(theme, at: now())
        list.show(theme, at: now())
        row.show(theme, at: now())
    }

    /// Abandons work under way.
    func stop() {
        for requests in [listRequests, rowRequests, countRequests, searchRequests] { _ = requests.begin() }
        search = nil
        following?.stop()
        following = nil
    }

    /// Returns when the next frame is due.
    func nextTime() -> Double? {
        [tree.table, list.table, row.table].compactMap { $0.nextFrame(after: lastDrawn) }.min()
    }

    private func apply(_ result: Result<Catalog, any Error>) {
        tree.setProgress(nil)
        switch result {
        case .success(let catalog):
            tree.show(TreeKnowledge(catalog, notes: file.notes), at: now())
            if let note = file.notes.first { notice = Notice(note) }
            showSelected()
            loadTree()
            if isFollowing { startFollowing() }
        case .failure(let error): report(error)
        }
        changed()
    }

    func report(_ error: any Error) {
        // An unlocked state was overwritten: opens the newest one.
        if (error as? YapDatabaseError)?.code == .reloadNeeded { return advance() }
        notice = Notice("\(error)", isWrong: true)
        changed()
    }
}
