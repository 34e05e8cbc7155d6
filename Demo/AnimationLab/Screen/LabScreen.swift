import Foundation
import LiveTable

/// The lab on a terminal: the table at the left, details about it at the right.
@MainActor final class LabScreen {
    enum Focus {
        case list
        case settings
    }

    let options: LabOptions
    var theme: Theme
    let now: () -> Double
    let shelf: LabShelf
    var stage: LabStage
    /// The entries that one key opens: the scenarios of a file, or the gallery; and the open one.
    var entries: [LabEntry]
    var entry: Int

    var clock: LabClock
    var motion: MotionLevel
    var focus = Focus.list
    var setting = LabSetting.group
    /// The group whose settings are shown; nil for that of the selected row.
    var settingsGroup: String?
    var beside = LabBeside.nothing
    let keys: LabKeys
    /// Parses key strokes, in the list and in the settings.
    var strokes: KeyReader
    var settingStrokes: KeyReader
    var overlay: LabOverlay?
    var prompt: LabPrompt?
    /// The last effect or failure, shown until the next key.
    var message: LabMessage? { didSet { lastMessage = message ?? lastMessage } }
    /// The last message, kept to be read in full later.
    private(set) var lastMessage: LabMessage?
    /// When the next step is taken automatically; nil while nothing plays.
    var nextStep: Double?
    var stormSeed: UInt64
    var size = (width: 80, height: 24)
    /// The time of the frame on the screen.
    var lastDrawn = 0.0
    var panelMemory: LabPanel.Memory?
    var otherMemory: OtherMemory?
    /// The time that drawing this frame took.
    var frameTime: Duration?

    /// Ends the lab; set by the owner of the loop.
    var quit: () -> Void = {}
    /// Switches the mouse and returns whether it is on.
    var toggleMouse: () -> Bool = { true }
    /// Called when something must be redrawn.
    var changed: () -> Void = {}
    /// The commit under way, and the keys that wait for it; nil if there is none.
    var work: Work?
    let write: Commit
    /// The error of the last failed commit.
    var failedCommit: (any Error)?
    /// Puts text on the terminal's clipboard.
    var copy: (String) throws -> Void = { _ in }

    /// - Parameter entries: the entries to choose from; the one at `entry` is opened.
    init(
        _ options: LabOptions, keys: LabKeys, entries: [LabEntry], opening entry: Int = 0, shelf: LabShelf,
        depth: ColorDepth, background: Theme.Background = .dark,
        size: (width: Int, height: Int), write: @escaping Commit = LabScreen.commitAtOnce, now: @escaping () -> Double
    ) throws {
        self.write = write
        self.options = options
        self.keys = keys
        strokes = KeyReader(keys.list)
        settingStrokes = KeyReader(keys.settings)
        self.shelf = shelf
        self.entries = entries
        self.entry = entry
        self.now = now
        self.size = size
        motion = options.motion
        stormSeed = options.seed
        theme = Theme(depth: depth, unicode: options.unicode, background: background)
        clock = LabClock(at: now())
        stage = try shelf.stage(entries[entry], TableOptions(theme: theme, motion: options.motion, follows: []))
        chooseBeside()
        try layOut()
        tellFlaw()
    }

    var session: LabSession { stage.session }

    /// The table's time.
    var time: Double { clock.time(at: now()) }

    /// Returns when something is due: the next frame, or the next step being played.
    func nextTime() -> Double? {
        let frame = stage.table.table.nextFrame(after: clock.time(at: lastDrawn)).flatMap(clock.moment(of:))
        return [frame, work == nil ? nextStep : nil, momentToTell].compactMap(\.self).min()
    }

    /// Opens an entry instead of the present one.
    func open(_ index: Int) throws {
        let next = try shelf.stage(entries[index], TableOptions(theme: theme, motion: motion, follows: []))
        try stage.close()
        stage = next
        entry = index
        settingsGroup = nil
        nextStep = nil
        chooseBeside()
        try layOut()
        tellFlaw()
    }

    /// If an example is about another answer, shows that beside the table.
    private func chooseBeside() {
        if stage.entry.hasOtherAnswers { beside = .other } else if beside == .other { beside = .nothing }
    }

    /// Shows a commit of another program.
    func followForeignCommit(of database: YapDatabase) {
        guard database === session.database.database else { return }
        guard work == nil else {
            work?.hasForeignCommit = true
            return
        }
        attempt {
            guard session.isHolding else { return try showForeignCommits() }
            session.isHoldingForeign = try session.hasForeignRows()
            if session.isHoldingForeign { message = .notice("Another program changed the file, and the list is held.") }
        }
    }

    func showForeignCommits() throws {
        let moves = session.moves
        let outcome = try session.followForeignCommit()
        session.isHoldingForeign = false
        try show(outcome == nil && !session.held.isEmpty ? session.jump() : outcome)
        guard session.lastMove?.way == .foreign, session.moves > moves else { return }
        nextStep = nil
        let kept = session.collected.isEmpty ? "" : " The collected edits are still there."
        message = .notice("Another program changed the file: a new timeline begins.\(kept)")
    }

    /// Adapts the theme to the terminal's background.
    func show(on background: Theme.Background) {
        theme.background = background
        panelMemory = nil
        attempt { try stage.setTheme(theme, at: time) }
    }

    /// Reports a flaw of the opened entry.
    private func tellFlaw() {
        guard let flaw = stage.flaws.first else { return }
        message = .failure(flaw.step.map { "Step \($0 + 1): \(flaw.text)" } ?? flaw.text)
    }

    /// Shows the result of a step.
    func show(_ outcome: YapDatabaseViewOutcome?) throws {
        guard let outcome else { return try stage.redraw(at: time) }
        if let misfit = try stage.show(outcome, at: time) { message = .failure("\(misfit)") }
        if let problem = session.lastMove?.problem { message = .failure("The law is broken: \(problem)") }
    }
}

/// A line in place of the hints.
enum LabMessage: Hashable {
    case notice(String)
    case failure(String)

    var text: String {
        switch self {
        case .notice(let text), .failure(let text): text
        }
    }
}
