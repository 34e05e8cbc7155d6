import FileReading
import ScreenPrograms

/// The state of the browser, besides the file and its three panes.
struct BrowserState: ProgramState {
    enum Pane: Int, CaseIterable, Sendable {
        case tree
        case list
        case row
    }

    /// What an event asks of the panes and the file.
    enum Request: Hashable {
        case layOut
        case mouse(MouseEvent)
        case choose(Int, OpenMenu.Purpose)
        /// Changes the width of the column of a choice.
        case adjust(Int, WidthChange)
        case searchAsTyped(String, isKeysOnly: Bool)
        case cancelTyping
        case accept(String, BrowserQuestion)
        case move(TableCommand)
        /// Opens what is selected, goes into it, or back out.
        case open, goIn, goOut, fold, mark
        case focus(Pane)
        /// Ends one thing, the newest first.
        case cancel
        case toggleFollowing
        case copyValue, copyPath
        case showRaw, showSpace
        case save
        case openOutside(isImage: Bool)
        case openRow(all: Bool)
        case inList(ListRequest)
    }

    /// What is asked of the list, which may not be there.
    enum ListRequest: Hashable {
        case ask(Prompt)
        case goToMatch(by: Int)
        case askFullText
        case askRange
        case reverse, sort
        case sortByField(isDescending: Bool)
        case countByField
        case chooseColumns, chooseDecoder
        case changeWidth(WidthChange)
    }

    var screen: ScreenState
    let keys: BrowserKeys
    var strokes: KeyReader
    var focus = Pane.tree
    var menu: OpenMenu?
    var prompt: Prompt?
    /// Earlier patterns, the oldest first.
    var patterns: [String] = []
    /// Earlier expressions to sort or count by.
    var expressions: [String] = []
    /// Keys for a list that is being loaded.
    var typedAhead: [InputEvent] = []

    var search: ListSearchState?
    /// The order by a field of the list, and the work for it.
    var sorting: Sorting?
    /// The counts by a field that are shown in place of the list.
    var counting: Counting?
    /// The list that is being written to a file.
    var saving: Saving?
    /// The value that a file's name is asked for.
    var valueToSave: SelectedBytes?
    /// The folder of the files that other programs show, which only the user can read.
    var outsideFolder: OutsideFolder?
    /// The position before the search that is being typed.
    var searchOrigin: SearchOrigin?
    var reading = Reading()
    var treeLoading = TreeLoading()
    var follow: Follow

    init(screen: ScreenState, keys: BrowserKeys, follows: Bool) {
        self.screen = screen
        self.keys = keys
        strokes = KeyReader(keys.map)
        follow = Follow(isOn: follows)
    }
}

extension BrowserState {
    /// What is read of the file, and what to do when it has been read. A newer request makes earlier ones stale.
    struct Reading {
        var lists = LatestRequest()
        var rows = LatestRequest()
        var counts = LatestRequest()
        var searches = LatestRequest()
        var sorts = LatestRequest()
        var fieldCounts = LatestRequest()
        var isRowLoading = false
        /// Whether values that are too large to be decoded at once are being read.
        var isReadingLarge = false
        /// What to select in the list that is being loaded.
        var goal: Goal?
        /// The search or filter to repeat in it.
        var searchToResume: ListSearchState?
        var decoder = RowDecoder()
        /// The order of each collection that is not shown by its keys.
        var orders: [StoredText: ListSubject.RowOrder] = [:]

        /// Makes all requests stale.
        mutating func abandon() {
            lists.begin()
            rows.begin()
            counts.begin()
            searches.begin()
            sorts.begin()
            fieldCounts.begin()
        }
    }

    struct Follow {
        /// Whether commits of others are shown.
        var isOn: Bool
        /// Whether a newer state of the file is being opened.
        var isAdvancing = false
        /// Why the newest state could not be opened, while that is so.
        var failure: ScreenMessage?
        /// When a newer state was last shown, on the screen's clock.
        var lastAdvance = 0.0
    }
}

/// The position and search before a new search, which Esc restores.
struct SearchOrigin {
    let subject: ListSubject
    let table: Table
    /// Where the search begins, whatever it has found since.
    let start: (group: Int, place: Int)
    let before: ListSearchState?
    var hasTyped = false
}

extension BrowserState {
    /// The minimum width in columns for three panes side by side, and for two.
    private static let widthForThree = 100
    private static let widthForTwo = 60

    /// The panes with room, from left to right.
    var shownPanes: [Pane] { shownPanes(focus: focus) }

    private func shownPanes(focus: Pane) -> [Pane] {
        if screen.size.width >= Self.widthForThree { return Pane.allCases }
        if screen.size.width >= Self.widthForTwo { return [.tree, focus == .row ? .row : .list] }
        return [focus]
    }

    var layout: ScreenLayout { layout(focus: focus) }

    private func layout(focus: Pane) -> ScreenLayout {
        let hasAll = screen.size.width >= Self.widthForThree
        let panes = shownPanes(focus: focus).map { pane -> ScreenLayout.Pane in
            switch pane {
            case .tree: .init(least: min(26, screen.size.width), share: 1)
            case .list: .init(least: min(hasAll ? 45 : 33, screen.size.width), share: 8)
            case .row: .init(least: min(hasAll ? 27 : 33, screen.size.width), share: hasAll ? 5 : 8)
            }
        }
        return ScreenLayout(width: screen.size.width, height: screen.size.height, panes: panes)
    }

    /// Returns a pane's area; nil if it has no room.
    func area(of pane: Pane) -> Rect? { area(of: pane, focus: focus) }

    private func area(of pane: Pane, focus: Pane) -> Rect? {
        guard let index = shownPanes(focus: focus).firstIndex(of: pane) else { return nil }
        let area = layout(focus: focus).panes[index]
        return area.isEmpty ? nil : area
    }

    /// Returns a pane's area, or the one that it gets with the focus; nil if the screen is too small for any.
    func place(of pane: Pane) -> Rect? { area(of: pane) ?? area(of: pane, focus: pane) }
}
