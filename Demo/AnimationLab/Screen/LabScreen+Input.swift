import LiveTable

extension LabScreen {
    func handle(_ event: InputEvent) {
        if mustWait(event) { return }
        attempt {
            switch event {
            case .resize(let width, let height):
                size = (width, height)
                try layOut()
            case .mouse(let mouse): try handle(mouse)
            case .key(let key, let modifiers):
                message = nil
                if overlay != nil { return try handleInOverlay(key, modifiers) }
                if prompt != nil { return try handleInPrompt(event) }
                try handle(key, modifiers)
            case .paste: if prompt != nil { try handleInPrompt(event) }
            case .focus: break
            }
        }
    }

    func attempt(_ work: () throws -> Void) {
        do {
            try work()
        } catch let refusal as LabRefusal {
            message = .notice(refusal.description)
        } catch {
            message = .failure("\(error)")
            changed()
        }
    }

    private func handle(_ key: Key, _ modifiers: Modifiers) throws {
        let outcome = focus == .list ? strokes.read(key, modifiers) : settingStrokes.read(key, modifiers)
        guard case .action(let action, let count) = outcome else { return }
        nextStep = action == .play ? nextStep : nil
        if focus == .list, let command = TableCommand(action, count: count) {
            return try stage.perform(command, at: time)
        }
        try perform(action, count: count)
    }

    private func handleInPrompt(_ event: InputEvent) throws {
        switch prompt?.field.handle(event) {
        case .submitted(let answer):
            let question = prompt?.question
            prompt = nil
            if let question { try perform(question, answer) }
        case .cancelled: prompt = nil
        case .changed, nil: if event == .key(.character("c"), .control) { prompt = nil }
        }
    }

    private func handleInOverlay(_ key: Key, _ modifiers: Modifiers) throws {
        if key == .character("c"), modifiers == .control { return quit() }
        switch overlay {
        case .text(let text): try handle(key, modifiers, in: text)
        case .introduction(let text): try handle(key, modifiers, inIntroduction: text)
        case .entries(let title, let entries, let chosen):
            switch key {
            case .escape, .character("q"), .character("e"): overlay = nil
            case .enter, .character(" "):
                overlay = nil
                try choose(chosen, of: entries)
            default:
                let step = key == .down || key == .character("j") ? 1 : key == .up || key == .character("k") ? -1 : 0
                let page = max(1, size.height - 3)
                let steps: [Key: Int] = [
                    .pageDown: page, .pageUp: -page, .end: entries.count, .home: -entries.count,
                    .character("G"): entries.count, .character("g"): -entries.count,
                ]
                let next = chosen + (steps[key] ?? step)
                overlay = .entries(title: title, entries, chosen: min(max(0, next), entries.count - 1))
            }
        case nil: break
        }
    }

    /// The keys of a table scroll; any other key closes the box.
    private func handle(_ key: Key, _ modifiers: Modifiers, in text: Overlay) throws {
        var (text, reader) = (text, strokes)
        let outcome = reader.read(key, modifiers)
        strokes = reader
        if outcome == .pending { return }
        if case .action(let action, let count) = outcome, let command = TableCommand(action, count: count),
            text.perform(command, in: screen, theme: theme)
        {
            return overlay = .text(text)
        }
        try close(key, modifiers)
    }

    /// If the whole text is visible, every key works as without it. Otherwise arrows and pages scroll it.
    private func handle(_ key: Key, _ modifiers: Modifiers, inIntroduction text: Overlay) throws {
        let commands: [Key: TableCommand] = [
            .down: .selectNext(), .up: .selectPrevious(), .pageDown: .pageDown(), .pageUp: .pageUp(),
            .character(" "): .pageDown(),
        ]
        var text = text
        guard text.canScroll(in: screen, theme: theme), let command = commands[key],
            text.perform(command, in: screen, theme: theme)
        else { return try close(key, modifiers) }
        overlay = .introduction(text)
    }

    private func close(_ key: Key, _ modifiers: Modifiers) throws {
        overlay = nil
        strokes.reset()
        // A key that has another meaning closes the introduction and takes effect at once.
        let onlyCloses: [Key] = [.escape, .enter, .character("q"), .character(" "), .character("?")]
        if !onlyCloses.contains(key) { try handle(key, modifiers) }
    }

    private var screen: Rect { Rect(x: 0, y: 0, width: size.width, height: size.height) }

    /// Opens an entry and shows its introduction.
    func choose(_ index: Int, of entries: [LabEntry]) throws {
        self.entries = entries
        try open(index)
        if !stage.entry.about.isEmpty { try explain() }
    }

    func explain() throws {
        let entry = stage.entry
        guard !entry.about.isEmpty else { throw LabRefusal("It has no introduction.") }
        let hint =
            entry.steps.isEmpty
            ? []
            : [
                "\(entry.steps.count == 1 ? "One step" : "\(entry.steps.count) steps"): → takes one, ← goes back, x plays them."
            ]
        overlay = .introduction(entry.title, [entry.about] + hint, in: size, theme)
    }
}
