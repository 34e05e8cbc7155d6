import FileReading
import ScreenPrograms

extension BrowserScreen {
    func drawPrompt(into grid: inout Grid, in line: Rect) {
        var line = line
        if state.prompt?.isSearch == true, let found = state.search?.foundText {
            let width = TextMeasure(theme.unicode).width(of: found) + 1
            if line.width >= 3 * width {
                let (start, end) = line.splitLeft(line.width - width)
                grid.fill(end)
                grid.draw(found, theme.secondary, x: end.x, y: end.y, in: end, level: theme.unicode)
                line = start
            }
        }
        state.prompt?.draw(into: &grid, in: line, theme: theme)
    }

    func open(_ prompt: Prompt) {
        guard list.rows != nil else { return show(notice: "There is no list to do that in.") }
        move(to: .list)
        state.prompt = prompt
        if prompt.isSearch { beginTyping() }
    }

    func accept(_ text: String, _ question: BrowserQuestion) {
        switch question {
        case .pattern(let isFilter, let isKeysOnly):
            let pattern = text.isEmpty ? state.patterns.last ?? "" : text
            guard !pattern.isEmpty else { return cancelTyping() }
            if isFilter {
                startSearch(pattern, isFilter: true, isKeysOnly: isKeysOnly)
            } else {
                acceptSearch(pattern, isKeysOnly: isKeysOnly)
            }
        case .goTo: goToRow(named: text)
        case .range: setRange(text)
        case .sort(let isDescending): sort(byExpression: text, isDescending: isDescending)
        case .countBy: count(byExpression: text)
        case .column: addColumn(text)
        case .save(let part): save(part, as: text)
        case .fullText(let name): find(text, inFullText: name)
        }
    }

    // MARK: Going to a row

    private func goToRow(named text: String) {
        guard !text.isEmpty else { return }
        state.search?.isJumpPending = false
        // The row's number in the list, counted from 1.
        if let number = Int(text.filter { $0 != "," }), number > 0 {
            return goToRow(by: .selectNumber(number))
        }
        state.reading.goal = nil
        list.showWhole(at: now())
        guard let subject = list.subject, let rows = list.rows, !goToRow(withKey: text, rows) else { return }
        guard rows.list.content.isComplete else {
            return state.reading.goal = Goal(subject: subject, target: .key(text))
        }
        // The count may just have finished without the table being updated.
        list.reload(at: now())
        if !goToRow(withKey: text, rows) { state.screen.message = missing(text) }
    }

    /// Returns why no row of the list has the key: it does not exist, or a range or a filter excludes it.
    func missing(_ text: String) -> ScreenMessage {
        let isThere = list.content.map { content in
            collections(of: content).contains { (try? content.snapshot.rowid($0, StoredText(text))) != nil }
        }
        let sentence =
            isThere == true
            ? "The row with the key \"\(text)\" is not among the shown ones."
            : "There is no key \"\(text)\". K finds keys by a part of them."
        return .failure(sentence)
    }

    private func collections(of content: ListContent) -> [StoredText] {
        if case .collection(let name, _) = content.subject { [name] } else { tree.known?.catalog.collections ?? [] }
    }

    /// Goes to the row with a key.
    /// - Returns: false if there is none, or none is known yet.
    func goToRow(withKey text: String, _ rows: ListSource) -> Bool {
        do {
            guard let path = try path(ofKey: text, rows) else { return false }
            list.update { $0.select(path, source: $1, at: now()) }
            if let there = rows.texts(at: path)?.key, there != text {
                let relation = there.hasPrefix(text) ? "that begins so" : "after it"
                show(notice: "There is no key \"\(text)\"; this is the first one \(relation).")
            }
            showRow()
        } catch {
            if error.isGone { state.reading.goal = list.subject.map { Goal(subject: $0, target: .key(text)) } }
            report(error)
        }
        return true
    }

    /// Returns the path of a row by its key; in a collection ordered by keys, also that of the first row after it. Nil
    /// if there is none, or its place is not known yet.
    private func path(ofKey text: String, _ rows: ListSource) throws -> RowPath? {
        let key = StoredText(text)
        let content = rows.list.content
        if case .collection(let name, .key) = content.subject,
            let order = content.sources[content.groups[0]] as? KeyOrder
        {
            guard let place = try content.snapshot.read({ try order.place(of: key, $0) }),
                place < rows.list.count(inGroup: name.text).known
            else { return nil }
            return rows.list.mappings.path(forIndex: place, inGroup: content.groups[0])
        }
        for collection in collections(of: content) {
            if let rowid = try content.snapshot.rowid(collection, key), let path = rows.path(of: .of(rowid: rowid)) {
                return path
            }
        }
        return nil
    }

    // MARK: Ranges

    private func setRange(_ text: String) {
        // The text is the new range; an empty text keeps the present one.
        guard !text.isEmpty else { return }
        guard let range = RowSelection.Range(words: text) else {
            return show(failure: "Say all, first 50 or last 50.")
        }
        list.change(at: now()) { $0.selection.range = range }
        if case .last = range { _ = showEnd() } else { list.showWhole(at: now()) }
        layOut()
        showRow()
    }
}

extension RowSelection.Range {
    /// Parses `all`, `first 50`, `last 1,000`; a number alone means the first rows.
    init?(words text: String) {
        let words = text.lowercased().filter { $0 != "," }.split(separator: " ")
        switch (words.first, words.count) {
        case ("all", 1): self = .all
        case (let word?, 1):
            guard let count = Int(word), count > 0 else { return nil }
            self = .first(count)
        case ("first", 2), ("last", 2):
            guard let count = Int(words[1]), count > 0 else { return nil }
            self = words[0] == "first" ? .first(count) : .last(count)
        default: return nil
        }
    }
}
