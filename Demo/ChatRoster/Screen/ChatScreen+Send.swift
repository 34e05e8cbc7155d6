import Foundation
import LiveTable

extension ChatScreen {
    func send(_ line: String) {
        let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { return }
        let sent = state.composer.send(text, at: now())
        let completion: ChatDatabase.Completion = { [weak self] in self?.end(sent, $0) }
        if let id = sent.draft.edited { return chat.edit(id, text: text, completion) }
        chat.add(message(text, in: sent.buddy, isMine: true), completion)
        attempt { try conversation.update { table, source in table.scroll(to: .end, source: source, at: now()) } }
    }

    private func end(_ sent: Sending, _ result: Result<Void, any Error>) {
        state.composer.end(sent)
        switch result {
        case .success: if sent.draft.edited == nil { state.script?.answer(buddy: sent.buddy, at: now()) }
        case .failure(let error): fail(error, state.composer.restore(sent, isMessageGone: error is MessageIsGone))
        }
        state.screen.redraw()
    }

    func message(_ text: String, in conversation: String, isMine: Bool) -> Message {
        Message(id: UUID().uuidString, conversation: conversation, isMine: isMine, text: text, date: Date())
    }
}

/// Messages that could not be stored before the chat ended.
struct UnsentMessages: Error, CustomStringConvertible {
    let lines: [String]
    let reason: String?

    var description: String { (["Not stored\(reason.map { " (\($0))" } ?? ""):"] + lines).joined(separator: "\n  ") }
}
