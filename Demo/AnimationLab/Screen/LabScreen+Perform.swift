import Foundation
import LiveTable

extension LabScreen {
    func perform(_ request: LabState.Request) throws {
        switch request {
        case .layOut: try layOut()
        case .changeBeside:
            state.beside = besides.neighbor(of: state.beside, up: true)
            try layOut()
        case .mouse(let mouse): try handle(mouse)
        case .choose(let index): try choose(index)
        case .answer(let question, let answer): try perform(question, answer)
        case .move(let command): try stage.perform(command, at: time)
        case .edit(let edit): try perform(edit)
        case .storm(let count): try storm(count)
        case .travel(let travel): try perform(travel)
        case .collect: try collect()
        case .hold: try hold()
        case .commit: try commit()
        case .changeMotion: try changeMotion()
        case .focus(let part): try move(to: part)
        case .moveSetting(let steps): moveSetting(by: steps)
        case .changeSetting(let up): try changeSetting(up: up)
        case .explain: try explain()
        case .showDetails: try showDetails()
        case .chooseExample: chooseExample()
        case .turn(let steps): try turn(by: steps)
        case .copyScenario: copyScenario()
        }
    }

    private func perform(_ edit: LabState.Edit) throws {
        switch edit {
        case .insertBefore: try self.edit(.insertBefore(selection))
        case .insertAfter: try self.edit(.insertAfter(selection))
        case .insertAtRandom: try self.edit(.insertAtRandom)
        case .delete: try self.edit { .delete($0) }
        case .deleteAll: try self.edit(.deleteAll)
        case .moveUp: try self.edit { .moveUp($0) }
        case .moveDown: try self.edit { .moveDown($0) }
        case .moveToGroup(let steps): try self.edit { .moveToGroup($0, by: steps) }
        case .changeText: try self.edit { .changeText($0) }
        case .typeText: try askText()
        case .changeMetadata: try self.edit { .changeMetadata($0) }
        case .touch: try self.edit { .touch($0) }
        }
    }

    private func perform(_ travel: LabState.Travel) throws {
        if session.isHoldingForeign, session.collected.isEmpty { throw Self.foreignCommitsWait }
        switch travel {
        case .undo: try begin(session.undoing())
        case .back: try begin(session.steppingBack())
        case .forward: try begin(session.steppingForward())
        case .toBeginning: try go(to: 0)
        case .toEnd: try go(to: session.steps.count)
        case .play: try play()
        }
    }

    private func commit() throws {
        guard session.collected.isEmpty else { return try begin(session.committing()) }
        if session.isHoldingForeign { try showForeignCommits() } else { try show(session.jump()) }
    }

    private static let foreignCommitsWait = LabRefusal("First show what another program committed: Enter.")

    // MARK: Edits

    /// The selected row.
    private var selection: RowKey? { stage.table.table.selection }

    /// Lets the session do work and shows the result.
    private func begin(_ work: LabWork) {
        begin(work) { try self.show($0) }
    }

    private func edit(_ edit: LabEdit) throws {
        let before = session.rows
        begin(try session.performing(edit)) { outcome in
            try self.show(outcome)
            if case .insertBefore = edit { try self.selectNew(than: before) }
            if case .insertAfter = edit { try self.selectNew(than: before) }
        }
    }

    private func edit(_ edit: (RowKey) -> LabEdit) throws {
        guard let selection else { throw LabRefusal("Select a row first: j and k, or a click.") }
        try self.edit(edit(selection))
    }

    /// Asks for the text of the selected row.
    private func askText() throws {
        guard let selection else { throw LabRefusal("Select a row first: j and k, or a click.") }
        try session.checkEditable()
        let text = session.rows[selection]?.row.text ?? ""
        state.prompt = LabPrompt(.text(of: selection), TextField(text))
    }

    /// Gives a row the text that was typed.
    func setText(_ text: String, of key: RowKey) throws { try edit(.setText(key, text)) }

    /// Selects a row that was just inserted.
    private func selectNew(than before: LabRows) throws {
        guard let new = session.rows.contents.keys.first(where: { before[$0] == nil }) else { return }
        try stage.select(new, at: time)
    }

    func storm(_ count: Int) throws {
        let seed = state.stormSeed
        begin(try session.performing(.storm(count: count, seed: seed))) { outcome in
            self.show(notice: "A storm of \(count) edits, seed \(seed).")
            self.state.stormSeed = seed &+ 1
            try self.show(outcome)
        }
    }

    private func collect() throws {
        session.isCollecting.toggle()
        if !session.isCollecting, !session.collected.isEmpty { begin(try session.committing()) }
    }

    private func hold() throws {
        session.isHolding.toggle()
        if !session.isHolding, session.isHoldingForeign { return try showForeignCommits() }
        if !session.isHolding, !session.held.isEmpty { try show(session.jump()) }
    }

    private func changeMotion() throws {
        state.motion.level = MotionLevel.allCases.neighbor(of: state.motion.level, up: true)
        var options = stage.table.table.options
        options.motion = state.motion.level
        try stage.table.update { table, source in table.setOptions(options, source: source, at: time) }
    }

    // MARK: Settings

    var settings: LabSettings {
        let mappings = session.state.mappings
        let known = session.knownGroups
        let selected = stage.table.table.selectedPath.flatMap { mappings.groupAndIndex(at: $0)?.group }
        let group = [state.settings.group, selected].compactMap(\.self).first(where: known.contains)
        return LabSettings(
            mappings: mappings, groups: session.setup.groups, known: known,
            group: group ?? mappings.allGroups.first ?? known.first ?? "A")
    }

    func move(to other: LabState.Focus) throws {
        state.focus = other
        state.strokes.reset()
        state.settingStrokes.reset()
        state.settings.group = other == .settings ? settings.group : nil
        try layOut()
    }

    private func moveSetting(by step: Int) {
        let shown = settings.shown
        let index = (shown.firstIndex(of: state.settings.chosen) ?? 0) + step
        state.settings.chosen = shown[min(max(0, index), shown.count - 1)]
    }

    func changeSetting(up: Bool) throws {
        guard state.settings.chosen != .group else {
            state.settings.group = settings.known.isEmpty ? nil : settings.known.neighbor(of: settings.group, up: up)
            return
        }
        if let groups = settings.groups(changing: state.settings.chosen, up: up) {
            return try regroup(groups, showing: settings.group)
        }
        if session.isHoldingForeign { throw Self.foreignCommitsWait }
        let calls = settings.calls(changing: state.settings.chosen, up: up)
        guard !calls.isEmpty else { return }
        begin(try session.configuring(calls)) { outcome in
            try self.show(outcome)
            if !self.settings.shown.contains(self.state.settings.chosen) { self.state.settings.chosen = .range }
        }
    }

    /// Chooses other groups; the settings stay with one of them.
    func regroup(_ groups: MappingsSetup.Groups, showing group: String) throws {
        if session.isHoldingForeign { throw Self.foreignCommitsWait }
        try show(session.regroup(groups))
        state.settings.group = group
    }
}
