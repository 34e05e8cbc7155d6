import Foundation
import LiveTable

extension ChatScreen {
    /// Sends what is in the composer.
    func send(kind: Message.Kind = .text) {
        guard var draft = state.composer.take() else { return }
        if kind == .action { draft.text = String(draft.text.dropFirst(3)).trimmed }
        if draft.edited == nil, kind == .text, draft.text.hasPrefix("//") { draft.text.removeFirst() }
        state.lastTyped = nil
        state.hasAskedWhom = false
        state.completion.reset()
        send(draft, kind: kind, in: state.composer.conversation)
        if draft.edited == nil { showEnd() }
    }

    /// Sends a text to a conversation, which need not be open.
    func send(_ draft: Draft, kind: Message.Kind = .text, in conversation: String) {
        var sending = Sending(
            id: UUID().uuidString, person: chat.me, conversation: conversation, draft: draft,
            kind: kind == .text ? nil : kind, date: chat.now)
        sending.start = now()
        state.composer.outbox.add(chat.kept(sending))
        if draft.edited == nil, conversation == state.composer.conversation { hideNewLine() }
        sendNext()
    }

    /// Removes the line "new": a person who writes below it has seen the new messages.
    private func hideNewLine() {
        guard facts.firstUnread != nil else { return }
        facts.firstUnread = nil
        mustRedraw = true
    }

    func showEnd() {
        attempt { try conversation.update { table, source in table.scroll(to: .end, source: source, at: now()) } }
    }

    /// Sends all unsent messages again, including those that were refused.
    func retry() {
        state.composer.outbox.retryRefused()
        if state.composer.outbox.reason == nil { return show(notice: "Everything was sent.") }
        sendNext(again: true)
        if let reason = chat.whyNotPossible { show(notice: "It is sent when that is possible: \(reason)") }
    }

    /// Sends the unsent messages again if the time for the next try has come.
    func sendAgain(at time: Double) {
        if let due = state.composer.outbox.retryTime, time >= due { sendNext(again: true) }
    }

    /// Sends the messages that wait, unless a commit with messages is running already.
    private func sendNext(again: Bool = false) {
        guard !state.composer.outbox.isEmpty else { return }
        if let reason = chat.whyNotPossible {
            state.composer.outbox.wait(reason)
            return chat.keepInFile(state.composer.outbox.sendings)
        }
        let sendings = state.composer.outbox.next(again: again, at: now())
        if sendings.isEmpty { return }
        chat.send(sendings) { [weak self] in self?.end(sendings, $0) }
    }

    private func end(_ sendings: [Sending], _ result: Result<[String: SendingResult], any Error>) {
        switch result {
        case .success(let results):
            state.composer.outbox.succeed()
            state.wantsBack = nil
            for sending in sendings { end(sending, results[sending.id] ?? .gone) }
            let late = sendings.count { $0.failure != nil && results[$0.id]?.isRefusal == false }
            tellBackAgain(sent: late)
        case .failure(let error) where isRefusal(error):
            for sending in sendings { end(sending, .refused(plainWords(error))) }
        case .failure(let error):
            let reason = plainWords(error)
            state.composer.outbox.fail(reason, at: now())
            chat.keepInFile(state.composer.outbox.sendings)
            tellInFull(reason)
            if state.wantsBack == state.composer.conversation { attempt { try takeBack() } }
            state.wantsBack = nil
        }
        sendNext()
        attempt { try layOut() }
        state.screen.redraw()
    }

    private func end(_ sending: Sending, _ result: SendingResult) {
        switch result {
        case .stored(let message):
            state.composer.outbox.remove(sending.id)
            onStored(sending.id)
            if let message { performer?.hear(message, at: now()) }
        case .gone: state.composer.outbox.remove(sending.id)
        case .refused(let reason): refuse(sending, reason)
        }
    }

    /// Shows a text that cannot be sent as it is, and keeps it with the reason. `completion` is called when the chat's file has it.
    func refuse(_ sending: Sending, _ reason: String, _ completion: @escaping @Sendable @MainActor () -> Void = {}) {
        let refused = chat.kept(sending.refused(reason))
        state.composer.outbox.putBack(refused)
        chat.keepInFile([refused], completion)
        tellInFull(reason)
    }

    /// Makes a reason the last message of the screen, which can be read in full. The screen shows it beside the unsent text already.
    func tellInFull(_ reason: String) {
        state.screen.message = .failure(reason)
        state.screen.message = nil
    }

    /// Moves the last unsent text back into the composer. If the text is being sent at this moment, it moves when that has failed.
    func takeBack() throws {
        let conversation = state.composer.conversation
        if state.composer.draft.isEmpty, state.composer.outbox.isTrying(in: conversation) {
            state.wantsBack = conversation
            return show(notice: "It is tried once more at this moment, and comes back if that fails.")
        }
        guard let back = state.composer.takeBack() else {
            return show(notice: "The line must be empty, and something not sent.")
        }
        storedDraft = state.composer.draft
        chat.takeBack(back, as: storedDraft, report)
        try layOut()
    }

    /// Removes unsent messages that are stored by now: another chat of the same person, or one that was killed, has sent them.
    func dropSent(_ transaction: YapDatabaseReadTransaction) throws {
        for sending in state.composer.outbox.sendings where sending.failure != nil && sending.draft.edited == nil {
            if sending.state != .onItsWay, try transaction[Chat.messages].contains(sending.id) {
                state.composer.outbox.remove(sending.id)
                chat.unsentFiles.remove(sending.id)
            }
        }
    }
}

/// The error of a chat that ended with messages which were not stored, or which the server does not have yet. They are kept for the next start.
public struct UnsentMessages: Error, CustomStringConvertible {
    /// What happened, and a line for each message.
    public let lines: [String]

    /// - Parameter pending: the messages that the server does not have yet.
    init?(_ composer: Composer, _ pending: [Sending], of person: String) {
        let sendings = pending + composer.outbox.sendings
        guard let last = sendings.last else { return nil }
        let messages = sendings.map { sending in
            let text = sending.draft.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return "  to \(Conversation(id: sending.conversation)?.title(for: person) ?? ""): \(text)"
        }
        lines =
            ["Not sent\(last.failure.map { " (\($0))" } ?? ""), and kept for the next start of this chat:"] + messages
    }

    /// The lines in one text.
    public var description: String { lines.joined(separator: "\n") }
}
