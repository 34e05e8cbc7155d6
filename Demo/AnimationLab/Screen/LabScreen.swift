import Foundation
import LiveTable

/// The lab on a terminal: the table at the left, details about it at the right.
@MainActor final class LabScreen: ScreenProgram {
    var state: LabState
    var stage: LabStage
    var memory = LabMemory()
    let options: LabOptions
    let shelf: LabShelf
    let write: Commit
    let now: () -> Double

    /// - Parameter entries: the entries to choose from; the one at `entry` is opened.
    init(
        _ options: LabOptions, keys: LabKeys, entries: [LabEntry], opening entry: Int = 0, shelf: LabShelf,
        depth: ColorDepth, background: Theme.Background = .dark,
        size: (width: Int, height: Int), write: @escaping Commit = LabScreen.commitAtOnce, now: @escaping () -> Double
    ) throws {
        self.write = write
        self.options = options
        self.shelf = shelf
        self.now = now
        let theme = Theme(depth: depth, unicode: options.unicode, background: background)
        state = LabState(
            screen: ScreenState(size: size, theme: theme), keys: keys, options: options,
            entries: .init(all: entries, open: entry), at: now())
        stage = try shelf.stage(entries[entry], TableOptions(theme: theme, motion: options.motion, follows: []))
        try showStage()
    }

    var session: LabSession { stage.session }

    /// The table's time.
    var time: Double { state.motion.clock.time(at: now()) }

    /// The table's time in the frame on the screen.
    var timeOfFrame: Double { state.motion.clock.time(at: state.screen.lastDrawn) }

    /// When something is due: the next frame, or the next step being played.
    var nextTime: Double? {
        let frame = stage.table.table.nextFrame(after: timeOfFrame).flatMap(state.motion.clock.moment(of:))
        let told = state.work.map(\.momentToTell).flatMap { $0 > state.screen.lastDrawn ? $0 : nil }
        return [frame, state.work == nil ? state.motion.nextStep : nil, told].compactMap(\.self).min()
    }

    func showTheme() {
        memory.panel = nil
        attempt { try stage.setTheme(theme, at: time) }
    }

    /// Opens an entry instead of the present one.
    func open(_ index: Int) throws {
        let options = TableOptions(theme: theme, motion: state.motion.level, follows: [])
        let next = try shelf.stage(state.entries.all[index], options)
        try stage.close()
        stage = next
        state.entries.open = index
        state.settings.group = nil
        state.motion.nextStep = nil
        try showStage()
    }

    private func showStage() throws {
        chooseBeside()
        try layOut()
        tellFlaw()
    }

    /// If an example is about another answer, shows that beside the table.
    private func chooseBeside() {
        if stage.entry.hasOtherAnswers {
            state.beside = .other
        } else if state.beside == .other {
            state.beside = .nothing
        }
    }

    /// Shows a commit of another program.
    func followForeignCommit(of database: YapDatabase) {
        guard database === session.database.database else { return }
        guard state.work == nil else {
            state.work?.hasForeignCommit = true
            return
        }
        state.screen.redraw()
        attempt {
            guard session.isHolding else { return try showForeignCommits() }
            session.isHoldingForeign = try session.hasForeignRows()
            guard session.isHoldingForeign else { return }
            show(notice: "Another program changed the file, and the list is held.")
        }
    }

    func showForeignCommits() throws {
        let moves = session.moves
        let outcome = try session.followForeignCommit()
        session.isHoldingForeign = false
        try show(outcome == nil && !session.held.isEmpty ? session.jump() : outcome)
        guard session.lastMove?.way == .foreign, session.moves > moves else { return }
        state.motion.nextStep = nil
        let kept = session.collected.isEmpty ? "" : " The collected edits are still there."
        show(notice: "Another program changed the file: a new timeline begins.\(kept)")
    }

    /// Reports a flaw of the opened entry.
    private func tellFlaw() {
        guard let flaw = stage.flaws.first else { return }
        show(failure: flaw.step.map { "Step \($0 + 1): \(flaw.text)" } ?? flaw.text)
    }

    /// Shows the result of a step.
    func show(_ outcome: Outcome?) throws {
        guard let outcome else { return try stage.redraw(at: time) }
        if let misfit = try stage.show(outcome, at: time) { show(failure: "\(misfit)") }
        if let problem = session.lastMove?.problem {
            show(failure: "The law is broken: \(problem)")
        }
    }
}

/// What was computed for the last frame and may serve for the next one.
struct LabMemory {
    struct Panel {
        let key: PanelKey
        let parts: [PanelPart]
    }

    /// What the parts about the last step are made from.
    struct PanelKey: Hashable {
        let session: ObjectIdentifier
        let move: Int
        let width: Int
        let beside: LabBeside
    }

    struct Other {
        let session: LabSession
        let moves: Int
        let answer: LabOtherAnswer?
    }

    var panel: Panel?
    var other: Other?
    /// The time that drawing the frame took.
    var frameTime: Duration?
}

extension LabScreen {
    func handle(_ event: InputEvent) {
        attempt { if let request = state.update(event, at: now()) { try perform(request) } }
    }

    func attempt(_ work: () throws -> Void) {
        do {
            try work()
        } catch let refusal as LabRefusal {
            show(notice: refusal.description)
        } catch {
            show(failure: sentence(ofSystem: error))
            state.screen.redraw()
        }
    }

    // MARK: Mouse

    func handle(_ mouse: MouseEvent) throws {
        let (table, panel) = (state.tableArea, state.panelArea)
        if state.isListShown, table.contains(x: mouse.x, y: mouse.y) {
            guard
                let command = stage.table.table.command(
                    for: mouse.kind, x: mouse.x - table.x, y: mouse.y - table.y, at: time)
            else { return }
            if case .click = command { try move(to: .list) }
            try stage.perform(command, at: time)
        } else if panel.contains(x: mouse.x, y: mouse.y), mouse.kind == .press(button: 1) {
            try click(panelLine: mouse.y - panel.y)
        }
    }

    /// A click on a setting selects it; a click on the selected one changes it.
    private func click(panelLine: Int) throws {
        guard let line = panelLines.dropFirst(panelLine).first?.text else { return }
        if isCut(line) { return try showDetails() }
        let clicked = settings.shown.first { line.dropFirst().hasPrefix($0.name + " ") }
        guard state.focus == .settings, let clicked else { return try move(to: .settings) }
        if clicked == state.settings.chosen { try changeSetting(up: true) } else { state.settings.chosen = clicked }
    }
}
