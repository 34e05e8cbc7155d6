import Foundation
import LiveTable

/// The text being written, the drafts of the other conversations, and what is on its way into the file.
///
/// A sent text is in ``outbox`` until its commit has ended. If the commit fails, it stays there with the reason, until it can be sent or
/// is taken back into the composer.
struct Composer {
    /// The most lines of the text on the screen; further ones scroll.
    static let maxLines = 6

    var field = TextField(placeholder: "Write a message", maxLines: Composer.maxLines)
    /// The id of the open conversation.
    private(set) var conversation: String
    /// The message that is being changed.
    private(set) var edited: String?
    private(set) var reply: Message.Quote?
    /// What was being written when the editing began, and what that answers.
    private var waiting: String?
    private var waitingReply: Message.Quote?
    /// The drafts of conversations that are not open.
    private(set) var drafts: [String: Draft] = [:]
    var outbox = Outbox()

    init(conversation: String = "", drafts: [String: Draft] = [:]) {
        self.conversation = conversation
        self.drafts = drafts
        field.usesHistory = false
        show(self.drafts.removeValue(forKey: conversation) ?? Draft())
    }

    /// What is in the composer, to be stored.
    var draft: Draft {
        Draft(text: field.text, edited: edited, reply: reply, waiting: waiting, waitingReply: waitingReply)
    }

    private mutating func show(_ draft: Draft) {
        field.text = draft.text
        edited = draft.edited
        reply = draft.reply
        (waiting, waitingReply) = (draft.waiting, draft.waitingReply)
    }

    /// What comes back when the editing ends.
    private var afterEditing: Draft { Draft(text: waiting ?? "", reply: waitingReply) }

    /// Turns to another conversation and its draft.
    mutating func turn(to other: String) {
        guard other != conversation else { return }
        drafts[conversation] = draft.isEmpty ? nil : draft
        conversation = other
        show(drafts.removeValue(forKey: other) ?? Draft())
    }

    /// Begins to change a message. What was being written comes back afterwards.
    mutating func edit(_ message: Message) {
        let before = edited == nil ? Draft(text: field.text, reply: reply) : afterEditing
        show(
            Draft(
                text: message.text, edited: message.id, waiting: before.text.isEmpty ? nil : before.text,
                waitingReply: before.reply))
    }

    mutating func answer(_ message: Message) {
        giveUpEditing()
        reply = Message.Quote(id: message.id, author: message.author)
    }

    /// Inserts pasted text. Returns false, and inserts nothing, if there is no room for it.
    mutating func insert(pasted text: String) -> Bool {
        guard field.characters.count + text.count <= TextField.maxCharacters else { return false }
        _ = field.handle(.paste(text))
        return true
    }

    /// Puts a text in place of the one that is written: an editor has changed it.
    mutating func replaceText(_ text: String) { field.text = text }

    /// Ends the editing of a message, or drops what is answered. Returns false if there was neither.
    @discardableResult
    mutating func giveUpEditing() -> Bool {
        if edited != nil {
            show(afterEditing)
            return true
        }
        defer { reply = nil }
        return reply != nil
    }

    /// Empties the composer. Returns false if it was empty.
    mutating func clear() -> Bool {
        if giveUpEditing() { return true }
        if field.isEmpty { return false }
        field.text = ""
        return true
    }

    /// Takes the line of a command out of the composer; nil if it is not written there.
    mutating func take(_ command: ChatCommand) -> String? {
        guard edited == nil, (try? ChatCommand(field.text.trimmed)) == command else { return nil }
        defer { field.text = "" }
        return field.text
    }

    /// Takes what is to be sent out of the composer; nil if there is nothing but blanks.
    mutating func take() -> Draft? {
        let text = field.text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { return nil }
        let taken = Draft(text: text, edited: edited, reply: reply)
        show(afterEditing)
        return taken
    }

    // MARK: On its way

    /// Moves the last text that was not sent back into the composer, if nothing is written there. Returns it.
    mutating func takeBack() -> Sending? {
        guard draft.isEmpty, let back = outbox.takeBack(from: conversation) else { return nil }
        show(back.asTyped)
        return back
    }

    /// What is on its way or was not sent in the open conversation.
    func visibleOutbox(at time: Double) -> [Sending] {
        outbox.sendings.filter {
            $0.conversation == conversation && ($0.failure != nil || time >= $0.start + Sending.patience)
        }
    }
}
