import FileReading
import LiveTable

/// The whole screen: tree, list and row, and what is above them for a moment. It knows no terminal: events come in, and
/// what is to be seen is asked for.
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

    /// Keys for a list that is on its way.
    var typedAhead: [InputEvent] = []
    var help: Overlay?
    var menu: OpenMenu?
    var prompt: Prompt?
    var notice: Notice? { didSet { lastNotice = notice ?? lastNotice } }
    /// The same, to be read in full later.
    private(set) var lastNotice: Notice?
    var search: ListSearchState?
    var following: Following?
    /// A newer state of the file is being worked out.
    var isAdvancing = false
    /// When a newer state was shown last, by the screen's clock.
    var lastAdvance = 0.0
    /// Finding out what the tree shows.
    var treeLoading = TreeLoading()
    /// Where one was when the search that is being typed was begun.
    var searchOrigin: SearchOrigin?
    /// Whether what others commit is shown.
    var isFollowing: Bool
    /// The time of the frame on the screen.
    var lastDrawn = 0.0
    /// Lists, rows and counts that were asked for; what came after makes the ones before stale.
    let listRequests = LatestRequest()
    let rowRequests = LatestRequest()
    let countRequests = LatestRequest()
    let searchRequests = LatestRequest()
    /// What was searched for before, the oldest first.
    var patterns: [String] = []
    var isRowLoading = false
    /// What is to be selected in the list that is on its way.
    var goal: Goal?
    /// What is to be searched for or filtered in it, as in the list before.
    var searchToResume: ListSearchState?

    /// Ends the browser; set by whoever runs the loop.
    var quit: () -> Void = {}
    /// Switches the mouse, and says whether it is on.
    var toggleMouse: () -> Bool = { true }
    /// Puts text on the terminal's clipboard.
    var copy: (String) throws -> Void = { _ in }
    /// Something is to be drawn anew.
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

    /// The terminal has told what its background is.
    func show(on background: Theme.Background) {
        theme.background = background
        tree.show(theme, at: now())
        list.show(theme, at: now())
        row.show(theme, at: now())
    }

    /// Leaves work that is under way without an end.
    func stop() {
        for requests in [listRequests, rowRequests, countRequests, searchRequests] { _ = requests.begin() }
        search = nil
        following?.stop()
        following = nil
    }

    /// When the next frame is due.
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
        // A state that nobody could lock was written over: the newest one is on its way.
        if (error as? YapDatabaseError)?.code == .reloadNeeded { return advance() }
        notice = Notice("\(error)", isWrong: true)
        changed()
    }
}
