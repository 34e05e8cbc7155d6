import Foundation
import LiveTable

// A search goes through a whole conversation, including messages outside the shown range, a few milliseconds at a time.
extension ChatScreen {
    private static let searchTime = 0.005
    private static let rowsAtOnce = 32
    /// The number of messages shown above a match outside the shown range.
    private static let messagesAbove = 20

    func beginSearch() throws {
        let pane = state.focus == .roster ? ChatState.Focus.roster : .messages
        let table = list(in: pane).table
        state.search = ChatSearch(
            pane: pane, line: PromptLine(.pattern, TextField(history: state.patterns)),
            origin: (state.focus, table.selection, table.scrollState))
        try move(to: pane)
    }

    func handleSearch(_ event: PromptLine<ChatSearch.Pattern>.Event) throws {
        switch event {
        case .typed(let pattern):
            state.search?.pattern = pattern
            if pattern.isEmpty { try showOrigin() } else { try scan(from: state.search?.origin.selection, skipping: 0) }
        case .accepted(let pattern):
            state.search?.line = nil
            state.patterns = (state.patterns.filter { $0 != pattern } + [pattern]).suffix(TextField.mostHistory)
            if state.search?.pane == .roster, state.search?.scan == nil { followSelection() }
        case .cancelled:
            try showOrigin()
            if let focus = state.search?.origin.focus { try move(to: focus) }
            state.search = nil
        }
    }

    /// Searches for the next match in the direction of the search, or against it.
    func searchAgain(forward: Bool) throws {
        guard let search = state.search, !search.pattern.isEmpty else {
            return show(failure: "There was no search yet: press /")
        }
        let isDown = (search.direction == .forward) == forward
        try scan(from: list(in: search.pane).table.selection, skipping: 1, isDown ? .forward : .backward)
    }

    /// Searches more rows, if any are left. Called for every frame during the search.
    func continueSearch() throws {
        guard var scan = state.search?.scan, let search = state.search else { return }
        let end = now() + Self.searchTime
        try tables.connection.read { transaction in
            repeat {
                try scan.look(at: Self.rowsAtOnce) { row in
                    try text(at: row, transaction)?.range(
                        of: search.pattern, options: [.caseInsensitive, .diacriticInsensitive]) != nil
                }
            } while scan.state == .searching && now() < end
        }
        state.search?.scan = scan.state == .searching ? scan : nil
        switch scan.state {
        case .searching: break
        case .found(let row): try showMatch(row)
        case .notFound: show(failure: "\"\(search.pattern)\" is not found.")
        }
    }

    /// Begins again, because row numbers have changed after a commit.
    func restartSearch() throws {
        guard let search = state.search, let scan = search.scan else { return }
        try self.scan(from: list(in: search.pane).table.selection, skipping: 1, scan.direction)
    }

    func list(in pane: ChatState.Focus) -> LiveTable { pane == .roster ? roster : conversation }

    // MARK: Rows by number: those of the roster as shown, those of a conversation from its first message

    private func scan(from key: RowKey?, skipping: Int, _ direction: RowSearch.Direction? = nil) throws {
        guard let search = state.search else { return }
        let direction = direction ?? search.direction
        try tables.connection.read { transaction in
            let rows = numberOfRows(transaction)
            let start = try key.flatMap { try number(of: $0, transaction) } ?? (direction == .forward ? 0 : rows - 1)
            let first = start + (direction == .forward ? skipping : -skipping)
            state.search?.scan = RowSearch(rows: rows, from: first, direction)
        }
        try continueSearch()
    }

    private func numberOfRows(_ transaction: YapDatabaseReadTransaction) -> Int {
        if state.search?.pane == .roster { return roster.mappings.numberOfItemsInAllGroups() }
        return messages(transaction)?.numberOfItems(inGroup: buddy) ?? 0
    }

    private func number(of key: RowKey, _ transaction: YapDatabaseReadTransaction) throws -> Int? {
        if state.search?.pane == .roster {
            let view = transaction.ext(ChatDatabase.rosterView) as? YapDatabaseViewTransaction
            guard let path = try view?.path(of: key, with: roster.mappings) else { return nil }
            return (0..<path.section).reduce(path.row) { $0 + roster.mappings.numberOfItems(inSection: $1) }
        }
        guard let path = try messages(transaction)?.path(of: key, with: conversation.mappings) else { return nil }
        return conversation.mappings.index(forRow: path.row, inGroup: buddy)
    }

    private func text(at row: Int, _ transaction: YapDatabaseReadTransaction) throws -> String? {
        if state.search?.pane == .roster {
            let view = transaction.ext(ChatDatabase.rosterView) as? YapDatabaseViewTransaction
            let someone = try rosterPath(row).flatMap { try view?.object(at: $0, with: roster.mappings) } as? Buddy
            return someone.map { "\($0.name) \($0.status)" }
        }
        return (try messages(transaction)?.object(at: row, inGroup: buddy) as? Message)?.text
    }

    private func messages(_ transaction: YapDatabaseReadTransaction) -> YapDatabaseViewTransaction? {
        transaction.ext(ChatDatabase.messagesView) as? YapDatabaseViewTransaction
    }

    private func rosterPath(_ row: Int) -> RowPath? {
        var rest = row
        for section in 0..<roster.mappings.numberOfSections() {
            let count = roster.mappings.numberOfItems(inSection: section)
            if rest < count { return RowPath(section: section, row: rest) }
            rest -= count
        }
        return nil
    }

    // MARK: What is visible of it

    private func showMatch(_ row: Int) throws {
        guard let search = state.search else { return }
        if search.pane == .messages {
            let position = conversation.mappings.rangePosition(forGroup: buddy)
            if row < position.offsetFromBeginning {
                let count = position.offsetFromBeginning + position.length + position.offsetFromEnd
                try showMessages(count - max(0, row - Self.messagesAbove))
            }
        }
        let shown = conversation.mappings.row(for: row, inGroup: buddy).map { RowPath(section: 0, row: $0) }
        let path = search.pane == .roster ? rosterPath(row) : shown
        try list(in: search.pane).update { table, source in
            table.select(path, source: source, at: now())
        }
        if search.pane == .roster, search.line == nil { followSelection() }
    }

    private func showOrigin() throws {
        guard let search = state.search else { return }
        state.search?.scan = nil
        try list(in: search.pane).update { table, source in
            table.markSelected(search.origin.selection, source: source)
            table.restore(search.origin.scroll, source: source, at: now())
        }
    }
}
