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
        let screen = Rect(x: 0, y: 0, width: size.width, height: size.height)
        let step = key == .down || key == .character("j") ? 1 : key == .up || key == .character("k") ? -1 : 0
        if key == .character("c"), modifiers == .control { return quit() }
        switch overlay {
        case .text(var text):
            text.scroll(by: step, in: screen, theme: theme)
            overlay = step == 0 ? nil : .text(text)
            // A key that means something is not to be typed twice.
            let onlyCloses = [.escape, .enter, .character("q"), .character(" "), .character("?")].contains(key)
            if step == 0, !onlyCloses { try handle(key, modifiers) }
        case .entries(let title, let entries, let chosen):
            switch key {
            case .escape, .character("q"), .character("e"): overlay = nil
            case .enter, .character(" "):
                overlay = nil
                try choose(chosen, of: entries)
            default:
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

    /// Opens an entry and says what it shows.
    func choose(_ index: Int, of entries: [LabEntry]) throws {
        self.entries = entries
        try open(index)
        if !stage.entry.about.isEmpty { try explain() }
    }

    func explain() throws {
        let entry = stage.entry
        guard !entry.about.isEmpty else { throw LabRefusal("There is nothing to say about it.") }
        let hint =
            entry.steps.isEmpty
            ? []
            : [
                "\(entry.steps.count == 1 ? "One step" : "\(entry.steps.count) steps"): → takes one, ← goes back, x plays them."
            ]
        overlay = .text(entry.title, [entry.about] + hint, in: size, theme)
    }
}
