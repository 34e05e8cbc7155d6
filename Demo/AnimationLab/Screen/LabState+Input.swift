import LiveTable

extension LabState {
    /// - Parameter now: the time, by which a pending commit is slow.
    mutating func update(_ event: InputEvent, at now: Double) -> Request? {
        if screen.typeOverText(event) || mustWait(event, at: now) { return nil }
        switch event {
        case .resize(let width, let height):
            screen.size = (width, height)
            return .layOut
        case .mouse(let mouse): return isCovered ? updateCovered(mouse) : .mouse(mouse)
        case .key(let key, let modifiers):
            screen.message = nil
            if isCovered { return updateCovered(key, modifiers, at: now) }
            return prompt == nil ? update(key, modifiers, at: now) : updatePrompt(event)
        case .paste: return updatePrompt(event)
        case .focus: return nil
        }
    }

    private mutating func update(_ key: Key, _ modifiers: Modifiers, at now: Double) -> Request? {
        let outcome = focus == .list ? strokes.read(key, modifiers) : settingStrokes.read(key, modifiers)
        guard case .action(let action, let count) = outcome else { return nil }
        if action != .play { motion.nextStep = nil }
        if focus == .list, let command = TableCommand(action, count: count) { return .move(command) }
        return perform(action, count, at: now)
    }

    static let stormEdits = 20

    private mutating func perform(_ action: Action, _ count: Int?, at now: Double) -> Request? {
        switch action {
        case .seededStorm: prompt = LabPrompt(.stormSeed(count: count ?? Self.stormEdits), TextField("\(stormSeed)"))
        case .addGroup: prompt = LabPrompt(.newGroup)
        case .save: prompt = LabPrompt(.save, TextField("scenario.jsonl"))
        case .load: prompt = LabPrompt(.load)
        case .slower: motion.clock.slowDown(at: now)
        case .faster: motion.clock.speedUp(at: now)
        case .pause: motion.clock.togglePause(at: now)
        case .frame: motion.clock.nextFrame(at: now)
        default:
            return screen.perform(action, help: keys.help) ? nil : request(action, count)
        }
        return nil
    }

    /// What an action asks of the session, the tables and files.
    private func request(_ action: Action, _ count: Int?) -> Request? {
        switch action {
        case .storm: return .storm(count ?? Self.stormEdits)
        case .collect: return .collect
        case .hold: return .hold
        case .commit: return .commit
        case .motion: return .changeMotion
        case .sideBySide: return .changeBeside
        case .focusNext: return .focus(focus == .list ? .settings : .list)
        case .cancel: return .focus(.list)
        case .nextSetting: return .moveSetting(1)
        case .previousSetting: return .moveSetting(-1)
        case .settingUp: return .changeSetting(up: true)
        case .settingDown: return .changeSetting(up: false)
        case .explain: return .explain
        case .details: return .showDetails
        case .gallery: return .chooseExample
        case .nextScenario: return .turn(1)
        case .previousScenario: return .turn(-1)
        case .copy: return .copyScenario
        default: return Edit(action).map { .edit($0) } ?? Travel(action).map { .travel($0) }
        }
    }

    private mutating func updatePrompt(_ event: InputEvent) -> Request? {
        switch prompt?.handle(event) {
        case .accepted(let answer):
            defer { prompt = nil }
            return prompt.map { .answer($0.question, answer) }
        case .cancelled: prompt = nil
        case .typed, nil: if event == .key(.character("c"), .control) { prompt = nil }
        }
        return nil
    }

    // MARK: Above the panes

    private mutating func updateCovered(_ key: Key, _ modifiers: Modifiers, at now: Double) -> Request? {
        if key == .character("c"), modifiers == .control {
            screen.request(.quit)
            return nil
        }
        switch overlay {
        case .introduction(let text):
            if let scrolled = text.scrolled(by: key, in: screen) {
                overlay = .introduction(scrolled)
                return nil
            }
            return close(key, modifiers, at: now)
        case .entries(var list):
            overlay = nil
            switch key {
            case .escape, .character("q"), .character("e"): break
            case .enter, .character(" "): return choose(list)
            default:
                list.handle(key, page: max(1, screen.size.height - 3))
                overlay = .entries(list)
            }
            return nil
        case nil:
            screen.handleOverText(key, modifiers, strokes.read(key, modifiers))
            return nil
        }
    }

    private mutating func choose(_ list: LabOverlay.Entries) -> Request {
        entries.all = list.entries
        return .choose(list.chosen)
    }

    private mutating func close(_ key: Key, _ modifiers: Modifiers, at now: Double) -> Request? {
        (overlay, screen.text) = (nil, nil)
        strokes.reset()
        // A key that has another meaning closes the introduction and takes effect at once.
        let onlyCloses: [Key] = [.escape, .enter, .character("q"), .character(" "), .character("?")]
        return onlyCloses.contains(key) ? nil : update(key, modifiers, at: now)
    }

    private mutating func updateCovered(_ mouse: MouseEvent) -> Request? {
        switch (mouse.kind, overlay) {
        case (.wheel(let lines), .introduction(var text)):
            text.scroll(by: lines, in: screen.bounds, theme: screen.theme)
            overlay = .introduction(text)
        case (.wheel(let lines), .entries(var list)):
            list.move(by: lines > 0 ? 1 : -1)
            overlay = .entries(list)
        case (.press(button: 1), .entries(var list)):
            overlay = nil
            if list.choose(atLine: mouse.y, in: screen) { return choose(list) }
        case (.press, .some): overlay = nil
        case (_, .some): break
        case (_, nil): screen.handleOverText(mouse)
        }
        return nil
    }
}

extension Overlay {
    /// Returns the text scrolled by an arrow or a page; nil for any other key, and if the whole text is visible: then
    /// every key works as without it.
    fileprivate func scrolled(by key: Key, in screen: ScreenState) -> Overlay? {
        let commands: [Key: TableCommand] = [
            .down: .selectNext(), .up: .selectPrevious(), .pageDown: .pageDown(), .pageUp: .pageUp(),
            .character(" "): .pageDown(),
        ]
        var text = self
        guard canScroll(in: screen.bounds, theme: screen.theme), let command = commands[key],
            text.perform(command, in: screen.bounds, theme: screen.theme)
        else { return nil }
        return text
    }
}

extension LabState.Edit {
    fileprivate init?(_ action: Action) {
        switch action {
        case .insertBefore: self = .insertBefore
        case .insertAfter: self = .insertAfter
        case .insertAtRandom: self = .insertAtRandom
        case .delete: self = .delete
        case .deleteAll: self = .deleteAll
        case .moveUp: self = .moveUp
        case .moveDown: self = .moveDown
        case .nextGroup: self = .moveToGroup(by: 1)
        case .previousGroup: self = .moveToGroup(by: -1)
        case .changeText: self = .changeText
        case .typeText: self = .typeText
        case .changeMetadata: self = .changeMetadata
        case .touch: self = .touch
        default: return nil
        }
    }
}

extension LabState.Travel {
    fileprivate init?(_ action: Action) {
        switch action {
        case .undo: self = .undo
        case .back: self = .back
        case .redo, .forward: self = .forward
        case .toBeginning: self = .toBeginning
        case .toEnd: self = .toEnd
        case .play: self = .play
        default: return nil
        }
    }
}
