import FileReading
import ScreenPrograms

extension DiffScreen {
    func handle(_ event: InputEvent) {
        guard let request = state.update(event) else { return }
        switch request {
        case .layOut:
            layOut()
            showDetails()
        case .mouse(let mouse): handle(mouse)
        case .move(let command): perform(command)
        case .focus(let pane): move(to: pane)
        case .ask(let question): ask(question)
        case .typed(let text): searchAsTyped(text)
        case .accept(let text, .search): acceptSearch(text)
        case .accept(let text, .filter): filter(text.isEmpty ? state.patterns.last ?? "" : text)
        case .cancelTyping: cancelTyping()
        case .goToMatch(let isForward): goToMatch(forward: isForward)
        case .show(let kind): toggle(kind)
        case .copy(let isPath): copy(path: isPath)
        case .cancel: cancel()
        }
    }

    func perform(_ command: TableCommand) {
        guard state.focus == .list else { return panel.perform(command, at: now()) }
        table.perform(command, source: source, at: now())
        showDetails()
    }

    func move(to pane: DiffState.Pane) {
        guard pane != state.focus, pane == .list || selectedIndex != nil else { return }
        state.focus = pane
        state.strokes.reset()
        layOut()
        showDetails()
    }

    private func ask(_ question: DiffQuestion) {
        move(to: .list)
        origin = table.selectedPath
        state.prompt = PromptLine(question, TextField(history: state.patterns))
    }

    /// Ends one thing at a time, the newest first.
    private func cancel() {
        if state.working != nil, state.searched != nil { return endSearch() }
        if !state.progress.isOver {
            store.cancel()
            return show(notice: "Stopped: \(RowCount(state.progress.compared)) rows were compared.")
        }
        if state.searched != nil { return endSearch() }
        if state.isFiltered {
            state.filter = ("", [])
            return filterAgain()
        }
        move(to: .list)
    }

    private func copy(path: Bool) {
        guard let index = selectedIndex else { return show(notice: "There is nothing to copy here.") }
        let change = store[index]
        let place = change.address.map { "\($0.collection.text)/\($0.key.text)" } ?? change.container
        let text =
            switch (path, state.focus) {
            case (true, .list): place
            case (true, .details): panel.selected.map { "\(place) \($0.name)" } ?? place
            case (false, .list): change.address?.key.text ?? change.name
            case (false, .details): panel.copiedValue ?? ""
            }
        let what = path ? "the path" : state.focus == .list ? "the key" : "the value"
        let notice = "Copied \(what), \(text.utf8.count) bytes, if the terminal lets programs copy."
        state.screen.request(.copy(text, notice: notice))
    }

    private func handle(_ mouse: MouseEvent) {
        for pane in state.shownPanes {
            guard let area = state.area(of: pane)?.splitTop(1).rest, area.contains(x: mouse.x, y: mouse.y) else {
                continue
            }
            let (x, y) = (mouse.x - area.x, mouse.y - area.y)
            let table = pane == .list ? table : panel.table
            guard let command = table.command(for: mouse.kind, x: x, y: y, at: now()) else { return }
            let before = self.table.selection
            if case .click = command { move(to: pane) }
            if pane == .list {
                self.table.perform(command, source: source, at: now())
                // A second click does what Enter does.
                if case .click = command, before == self.table.selection { move(to: .details) }
                showDetails()
            } else {
                panel.perform(command, at: now())
            }
            return
        }
    }
}
