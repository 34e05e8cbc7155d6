import Foundation
import LiveTable

extension ChatScreen {
    /// Sends what is in the composer.
    func send(kind: Message.Kind = .text) {
        guard var draft = state.composer.take() else { return }
        if kind == .action { draft.text = String(draft.text.dropFirst(3)).trimmed }
        if draft.text.hasPrefix("//") { draft.text.removeFirst() }
        state.lastTyped = nil
        state.completion.reset()
        let isEdit = draft.edited != nil
        commit(state.composer.begin(draft, kind: kind, at: now()))
        if !isEdit { showEnd() }
    }

    func showEnd() {
        attempt { try conversation.update { table, source in table.scroll(to: .end, source: source, at: now()) } }
    }

    /// Sends again what was not sent.
    func retry() {
        let again = state.composer.retry(at: now())
        if again.isEmpty { return show(notice: "Everything was sent.") }
        again.forEach(commit)
    }

    private func commit(_ sending: Sending) {
        guard let conversation = Conversation(id: sending.conversation) else { return }
        let (me, draft) = (chat.me, sending.draft)
        let message = Message(
            draft.text, kind: sending.kind, in: conversation, by: me, id: sending.id, reply: draft.reply)
        chat.commit({ [weak self] in self?.end(sending, message, $0) }) { transaction in
            if let edited = draft.edited { return try transaction.edit(edited, text: draft.text, by: me, at: Date()) }
            try transaction.send(message)
        }
    }

    private func end(_ sending: Sending, _ message: Message, _ result: Result<Void, any Error>) {
        switch result {
        case .success:
            state.composer.end(sending.id, failure: nil)
            onStored(message.id)
            if sending.draft.edited == nil { performer?.hear(message, at: now()) }
        case .failure(let error):
            state.composer.end(sending.id, failure: "\(error)")
            // The reason stands beside the text; this keeps it to be read in full.
            state.screen.message = .failure("\(error)")
            state.screen.message = nil
        }
        attempt { try layOut() }
        state.screen.redraw()
    }
}

/// Messages that could not be stored before the chat ended.
struct UnsentMessages: Error, CustomStringConvertible {
    let lines: [String]
    let reason: String?

    init?(_ composer: Composer, of person: String) {
        if composer.outbox.isEmpty { return nil }
        lines = composer.outbox.map { sending in
            "to \(Conversation(id: sending.conversation)?.title(for: person) ?? ""): \(sending.draft.text)"
        }
        reason = composer.outbox.last?.failure
    }

    var description: String { (["Not stored\(reason.map { " (\($0))" } ?? ""):"] + lines).joined(separator: "\n  ") }
}
