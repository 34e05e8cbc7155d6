import FileEngine

/// The summaries of mutations that this process has compared with the records, or has written itself, by their stored texts.
///
/// So the records are asked once for each text that another process, or damage, has left in the file, and not for each mutation.
struct KnownOutboxes: Sendable {
    struct Entry: Sendable {
        /// Nil where the file has no value.
        let text: String?
        /// Which mutations are pending; nil if the file has none of any state.
        let state: OutboxState?
        /// Whether all records were counted, so that also the size is theirs.
        var isCounted = false
    }

    private var entries: [Entry] = []
    /// Long-lived readers have older snapshots than the writer.
    private static let limit = 4

    /// Whether the file has been asked before.
    private(set) var wereAsked = false

    subscript(text: String?) -> Entry? { entries.last { $0.text == text } }

    /// Replaces what was known of the text.
    mutating func note(_ entry: Entry) {
        entries.removeAll { $0.text == entry.text }
        if entries.count >= Self.limit { entries.removeFirst() }
        entries.append(entry)
        wereAsked = true
    }

    /// Forgets what a file without a summary has: records of another space may have come to it.
    mutating func forgetMissing() { entries.removeAll { $0.text == nil } }
}
