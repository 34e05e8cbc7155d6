import LiveTable

/// The line being written, the drafts that wait for it, and the lines whose commit is pending.
///
/// A sent line is in `sending` until its commit has ended. If the commit fails, it returns to the composer or, if that is
/// in use, to the drafts of its conversation, which are kept in order.
struct Composer {
    var field = TextField(placeholder: "Write a message")
    /// The draft in the line; its text is in `field`.
    private(set) var draft = Draft()
    /// The id of the buddy whose conversation is shown.
    private(set) var buddy: String
    /// The drafts of each conversation, the next one first.
    private(set) var drafts: [String: [Draft]] = [:]
    private(set) var sending: [Sending] = []

    init(buddy: String) { self.buddy = buddy }

    private var isFree: Bool { field.isEmpty && draft.edited == nil }

    /// Puts the next draft of the conversation into the line, if there is one.
    mutating func nextDraft() {
        draft = drafts[buddy]?.isEmpty == false ? drafts[buddy]!.removeFirst() : Draft()
        field.text = draft.text
    }

    /// Puts the next draft into the line if nothing is written in it.
    mutating func refill() { if isFree { nextDraft() } }

    /// Ends the editing of a message.
    mutating func giveUpEditing() { if draft.edited != nil { nextDraft() } }

    mutating func edit(_ text: String, ofMessage id: String) {
        setAside()
        draft = Draft(text: text, edited: id)
        field.text = text
    }

    /// Turns to another conversation and to its drafts.
    mutating func turn(to other: String) {
        setAside()
        buddy = other
        nextDraft()
    }

    /// Saves the line as a draft, to be restored when the line is free.
    private mutating func setAside() {
        draft.text = field.text
        if !field.isEmpty { drafts[buddy, default: []].insert(draft, at: 0) }
        (draft, field.text) = (Draft(), "")
    }

    /// Inserts pasted text; returns false if a part of it was left out.
    mutating func insert(pasted text: String) -> Bool {
        let room = TextField.mostCharacters - field.characters.count
        _ = field.handle(.paste(text))
        return text.count <= room
    }

    // MARK: Sending

    /// Begins to send a text in place of the line and puts the next draft into the line.
    mutating func send(_ text: String, at time: Double) -> Sending {
        let sent = Sending(draft: Draft(text: text, edited: draft.edited), buddy: buddy, start: time)
        sending.append(sent)
        nextDraft()
        return sent
    }

    mutating func end(_ sent: Sending) {
        if let index = sending.firstIndex(of: sent) { sending.remove(at: index) }
    }

    /// Keeps a line whose commit has failed, and returns what to tell the user.
    mutating func restore(_ sent: Sending, isMessageGone: Bool) -> String {
        var draft = sent.draft
        draft.isUnsent = true
        if isMessageGone { draft.edited = nil }
        drafts[sent.buddy, default: []].append(draft)
        let isHere = sent.buddy == buddy
        let isRestored = isHere && isFree
        if isRestored { nextDraft() }
        return "Not sent\(isHere ? "" : " to \(sent.buddy.capitalized)"), the text comes back "
            + (isRestored ? "into the line: " : "when its line is free: ")
    }

    /// The number of lines whose commit takes long.
    func slowlySent(at time: Double) -> Int { sending.count { time >= $0.start + Sending.patience } }

    /// When the next line counts as slow.
    func nextToTell(after time: Double) -> Double? {
        sending.lazy.map { $0.start + Sending.patience }.filter { $0 > time }.min()
    }

    /// The lines sent but not known to be stored, to be printed after the screen is closed.
    var unsent: [String] {
        var inLine = draft
        inLine.text = field.text
        let waiting = [(buddy, [inLine])] + drafts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let failed = waiting.flatMap { buddy, drafts in
            drafts.filter(\.isUnsent).map { (buddy, $0.text) }
        }
        return (failed + sending.map { ($0.buddy, $0.draft.text) }).map { "to \($0.capitalized): \($1)" }
    }
}

/// A line of text for one conversation that is not stored yet.
struct Draft: Hashable, Sendable {
    var text = ""
    /// The id of the message being edited; nil for a new one.
    var edited: String?
    /// Whether it was sent and its commit failed.
    var isUnsent = false
}

/// A line whose commit is pending.
struct Sending: Hashable, Sendable {
    /// Seconds after which a pending commit is reported.
    static let patience = 0.3

    var draft: Draft
    var buddy: String
    var start: Double
}
