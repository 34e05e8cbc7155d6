import Foundation
import LiveTable

extension ChatScreen {
    func handle(_ event: InputEvent) {
        state.lastInput = now()
        // Of the line's area, whose height takes all of its text to tell, it is the width that counts.
        state.composer.field.wrap(to: layout.panes[1], prompt: prompt, level: theme.unicode)
        attempt { if let request = state.update(event) { try perform(request) } }
    }

    func handleEdited(_ result: Result<String, EditorError>) {
        switch result {
        case .success(let text): state.composer.replaceText(text)
        case .failure(let error): fail(error)
        }
    }

    func showTheme() {
        attempt { for list in tables.all { try list.setTheme(theme, at: now()) } }
        found.setTheme(theme, at: now())
    }

    func prepareFrame() {
        let time = now()
        performer?.perform(at: time)
        attempt {
            let area = messagesArea
            if !area.isEmpty, area.height != conversation.table.height || area.width != conversation.table.width {
                try layOut()
            }
            if mustRedraw, conversation.table.nextFrame(after: time) == nil {
                mustRedraw = false
                try redrawRows()
            }
            try lookAround(at: time)
            try noteSeen(at: time)
        }
        sendAgain(at: time)
        keepDraft(at: time)
    }

    /// Shows commits of this or another process.
    func followCommits() {
        state.screen.redraw()
        attempt {
            let misfits = try tables.advance(at: now())
            if let misfit = misfits.first { show(failure: "\(misfit)") }
            let before = state.roster
            try refresh(tells: true)
            followFound(hasNews: before != state.roster)
        }
    }

    /// Reads what cells and lines need besides the rows of the tables.
    func refresh(tells: Bool) throws {
        let id = state.composer.conversation
        let before = state.roster
        try tables.connection.read { transaction in
            state.roster = try transaction.roster(of: chat.me)
            state.rooms = try transaction[Chat.rooms].keys()
            try dropSent(transaction)
            guard let conversation = Conversation(id: id) else { return }
            state.members = try transaction.members(of: conversation)
            if state.members != facts.members {
                facts.members = state.members
                mustRedraw = true
            }
            for (id, text) in facts.quotes where try transaction.quoted(id) != text { mustRedraw = true }
            try lookAtMutations(transaction)
            let read = try transaction.readByAll(of: conversation, besides: chat.me)
            if read != facts.readByAll {
                facts.readByAll = read
                mustRedraw = true
            }
            if layout.panes.count > 2 { try profile.update(transaction, conversation, of: chat.me) }
            let stored = try transaction[Chat.settings].readable(chat.me)
            if let settings = stored?.settings, settings != state.settings, !tells { state.settings = settings }
            number(state.roster, stored?.numbers ?? [:])
        }
        if facts.numbers != state.numbers {
            facts.numbers = state.numbers
            try roster.update { table, source in table.reload(source: source, at: now()) }
        }
        try lookAround(at: now())
        if tells { tell(before) }
        showTitle()
    }

    /// Gives conversations their numbers, and stores what is new of that.
    private func number(_ roster: [RosterRow], _ stored: [String: Int]) {
        state.numbers = ConversationNumbers.completed([stored, state.numbers], for: roster.map(\.conversation))
        guard state.numbers != stored, state.numbers != askedNumbers else { return }
        askedNumbers = state.numbers
        let (me, settings, numbers) = (chat.me, state.settings, state.numbers)
        chat.commit { try $0.number(numbers, for: me, settings) }
    }

    /// Draws the rows on the screen again: what they show besides their messages has changed.
    func redrawRows() throws {
        facts.quotes = [:]
        try conversation.update { table, source in table.reload(source: source, at: now()) }
    }

    /// Shows a failure at once, even if nothing moves.
    func fail(_ error: any Error, _ what: String = "") { show(failure: what + plainWords(error)) }

    var report: ChatDatabase.Completion {
        { [weak self] result in if case .failure(let error) = result { self?.fail(error) } }
    }

    func attempt(_ work: () throws -> Void) {
        do { try work() } catch { fail(error) }
    }

    /// When the next frame of an animation, a sign of life or something else is due.
    var nextTime: Double? {
        let drawn = state.screen.lastDrawn
        return [
            tables.nextFrame(after: drawn), found.table.nextFrame(after: drawn), performer?.nextTime,
            state.composer.outbox.nextToTell(after: drawn), state.composer.outbox.retryTime, draftDue,
            pulse.next, watch.nextEnd(after: drawn), seen.nextTime,
            state.composer.outbox.reason != nil || state.delay != nil || chat.followsServer ? pulse.nextLook : nil,
        ].compactMap(\.self).min()
    }
}
