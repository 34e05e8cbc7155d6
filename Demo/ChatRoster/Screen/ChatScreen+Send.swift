import Foundation
import LiveTable

// A sent line leaves the composer and is in `sending` until its commit has ended. If the commit fails, it returns to
// the composer or, if that is in use, to the drafts of its conversation, which are kept in order.
extension ChatScreen {
    func send(_ line: String) {
        let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { return }
        let draft = Draft(text: text, edited: composed.edited)
        if let id = draft.edited {
            chat.edit(id, text: text, ended(sending: draft, to: buddy))
        } else {
            chat.add(message(text, in: buddy, isMine: true), ended(sending: draft, to: buddy))
            attempt { try conversation.update { table, source in table.scroll(to: .end, source: source, at: now()) } }
        }
        nextDraft()
    }

    private func ended(sending draft: Draft, to buddy: String) -> ChatDatabase.Completion {
        let sent = Sending(draft: draft, buddy: buddy, start: now())
        sending.append(sent)
        return { [weak self] result in
            guard let self else { return }
            if let index = sending.firstIndex(of: sent) { sending.remove(at: index) }
            switch result {
            case .success: if draft.edited == nil { script?.answer(buddy: buddy, at: now()) }
            case .failure(let error): takeBack(draft, to: buddy, because: error)
            }
            changed()
        }
    }

    private func takeBack(_ draft: Draft, to buddy: String, because error: any Error) {
        var draft = draft
        draft.isUnsent = true
        if error is MessageIsGone { draft.edited = nil }
        drafts[buddy, default: []].append(draft)
        let isFree = buddy == self.buddy && field.isEmpty && composed.edited == nil
        if isFree { nextDraft() }
        fail(
            error,
            "Not sent\(buddy == self.buddy ? "" : " to \(buddy.capitalized)"), the text comes back "
                + (isFree ? "into the line: " : "when its line is free: "))
    }

    /// The number of lines whose commit takes long.
    var slowlySent: Int { sending.count { lastDrawn >= $0.start + Sending.patience } }

    /// When the next line will count as slow.
    var nextToTell: Double? { sending.lazy.map { $0.start + Sending.patience }.filter { $0 > self.lastDrawn }.min() }

    /// Puts the next draft of the conversation into the composer, if there is one.
    func nextDraft() {
        composed = drafts[buddy]?.isEmpty == false ? drafts[buddy]!.removeFirst() : Draft()
        field.text = composed.text
    }

    /// Saves the composer's content as a draft, to be restored when it is free.
    func setAside() {
        composed.text = field.text
        if !field.isEmpty { drafts[buddy, default: []].insert(composed, at: 0) }
        (composed, field.text) = (Draft(), "")
    }

    /// Inserts pasted text and shows a notice if it was cut.
    func insert(pasted text: String) {
        let room = TextField.mostCharacters - field.characters.count
        if case .submitted(let line)? = field.handle(.paste(text)) { send(line) }
        if text.count > room { failure = "Only \(TextField.mostCharacters) characters fit: the rest was left out." }
    }

    /// The lines sent but not known to be stored, to be printed after the screen is closed.
    var unsent: [String] {
        var composed = composed
        composed.text = field.text
        let waiting = [(buddy, [composed])] + drafts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let failed = waiting.flatMap { buddy, drafts in
            drafts.filter(\.isUnsent).map { (buddy, $0.text) }
        }
        return (failed + sending.map { ($0.buddy, $0.draft.text) }).map { "to \($0.capitalized): \($1)" }
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
