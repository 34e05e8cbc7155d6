import LiveTable

/// The state of the lab's screen, besides the session and its tables.
struct LabState: ProgramState {
    enum Focus {
        case list
        case settings
    }

    /// What an event asks of the session, the tables and files.
    enum Request: Hashable {
        case layOut
        case mouse(MouseEvent)
        /// Opens the entry at an index of those to choose from.
        case choose(Int)
        case answer(LabQuestion, String)
        case move(TableCommand)
        case edit(Edit)
        case storm(Int)
        case travel(Travel)
        /// Begins or ends collecting edits, or holding commits back.
        case collect, hold
        case commit
        case changeMotion
        /// Shows another answer beside the list.
        case changeBeside
        case focus(Focus)
        case moveSetting(Int)
        case changeSetting(up: Bool)
        case explain, showDetails
        case chooseExample
        /// Opens another scenario of the file.
        case turn(Int)
        case copyScenario
    }

    /// An edit, of the selected row where it is about one.
    enum Edit: Hashable {
        case insertBefore, insertAfter, insertAtRandom
        case delete, deleteAll
        case moveUp, moveDown
        case moveToGroup(by: Int)
        case changeText, typeText, changeMetadata, touch
    }

    /// A way along the timeline, which a commit of another program ends.
    enum Travel: Hashable {
        case undo, back, forward
        case toBeginning, toEnd
        case play
    }

    var screen: ScreenState
    let keys: LabKeys
    /// Parses key strokes, in the list and in the settings.
    var strokes: KeyReader
    var settingStrokes: KeyReader
    var focus = Focus.list
    var overlay: LabOverlay?
    var prompt: LabPrompt?
    var entries: Entries
    var motion: Motion
    var settings = Settings()
    var beside = LabBeside.nothing
    var stormSeed: UInt64
    /// The commit under way, and the keys that wait for it; nil if there is none.
    var work: LabWaiting?
    /// The error of the last failed commit.
    var failedCommit: (any Error)?

    init(
        screen: ScreenState, keys: LabKeys, options: LabOptions, entries: Entries = Entries(all: [.playground]),
        at time: Double
    ) {
        self.screen = screen
        self.keys = keys
        self.entries = entries
        strokes = KeyReader(keys.list)
        settingStrokes = KeyReader(keys.settings)
        motion = Motion(clock: LabClock(at: time), level: options.motion)
        stormSeed = options.seed
    }

    /// Whether something is above the panes.
    var isCovered: Bool { overlay != nil || screen.text != nil }
}

extension LabState {
    /// The entries that one key opens: the scenarios of a file, or the gallery.
    struct Entries {
        var all: [LabEntry]
        /// The index of the open one.
        var open = 0

        /// The place of the open one among several scenarios; the playground is none of them.
        var place: (number: Int, count: Int)? {
            guard all.count > 1, all.indices.contains(open), !all[open].isPlayground else { return nil }
            let before = all[..<open].count { !$0.isPlayground }
            return (before + 1, all.count { !$0.isPlayground })
        }
    }

    /// How the table moves.
    struct Motion {
        var clock: LabClock
        var level: MotionLevel
        /// When the next step is taken automatically; nil while nothing plays.
        var nextStep: Double?
    }

    /// What is chosen among the settings.
    struct Settings {
        var chosen = LabSetting.group
        /// The group whose settings are shown; nil for that of the selected row.
        var group: String?
    }
}

extension LabState {
    private static let leastTable = 28
    private static let leastPanel = 40
    private static let leastHeightWithStrip = 6

    var layout: ScreenLayout { layout(focus: focus) }

    private func layout(focus: Focus) -> ScreenLayout {
        // Two tables side by side take room from the panel.
        let room = max(Self.leastTable, screen.size.width - Self.leastPanel - 1)
        let table = beside != .nothing ? min(2 * Self.leastTable + 1, room) : Self.leastTable
        return ScreenLayout(
            width: screen.size.width, height: screen.size.height,
            panes: [.init(least: table, share: 1), .init(least: Self.leastPanel, share: 2)],
            focused: focus == .list ? 0 : 1)
    }

    /// The area of the list. A list without room gets the area that it would have with the focus, so that it is
    /// followed. If the panel does not fit beside the list, the change-set is below it.
    var listPane: Rect {
        let layout = isListShown ? layout : layout(focus: .list)
        return layout.panes[0].splitBottom(stripHeight(layout)).rest
    }
    var stripArea: Rect { layout.panes[0].splitBottom(stripHeight(layout)).bottom.splitLeft(1).rest }
    var isListShown: Bool { !layout.panes[0].isEmpty }
    private func stripHeight(_ layout: ScreenLayout) -> Int {
        let (list, panel) = (layout.panes[0], layout.panes[1])
        return panel.isEmpty && list.height >= Self.leastHeightWithStrip ? list.height / 2 : 0
    }
    /// The panel begins one column after the rule.
    var panelArea: Rect { layout.panes[1].splitLeft(1).rest }

    /// The area of the animated table: with two tables the left half, below a line with their titles.
    var tableArea: Rect { beside != .nothing ? listPane.splitTop(1).rest.splitLeft(halfWidth).left : listPane }
    var besideArea: Rect { listPane.splitTop(1).rest.splitLeft(listPane.width - halfWidth).rest }
    /// Three columns between the tables mark differences.
    private var halfWidth: Int { max(1, (listPane.width - 3) / 2) }
}
