/// What was sent and is not in the file yet, in the order in which it was written.
///
/// One commit at a time takes everything that waits. So nothing overtakes what was written before, and what has waited for long is sent at
/// once.
struct Outbox {
    /// Seconds until texts that were not sent are tried again, the first time and at most.
    private static let (firstPause, longestPause) = (1.0, 15.0)

    private(set) var sendings: [Sending] = []
    /// When those that were not sent are tried again by themselves; nil if nothing is to be tried.
    private(set) var retryTime: Double?
    private var pause = firstPause

    var isEmpty: Bool { sendings.isEmpty }
    /// Whether a commit has some of them.
    private var isBusy: Bool { sendings.contains { $0.state == .onItsWay } }
    /// Whether some are on their way, or will be without anything else happening.
    var isSending: Bool { sendings.contains { $0.failure == nil } }
    /// Why the first of those that are tried again was not sent.
    var reason: String? { sendings.first { $0.state == .waiting && $0.failure != nil }?.failure }

    /// Adds a text. Behind one that was not sent it waits for the same reason.
    mutating func add(_ sending: Sending) {
        var sending = sending
        sending.failure = reason
        sendings.append(sending)
    }

    /// Takes back what an earlier run of the chat left.
    mutating func restore(_ left: [Sending], at time: Double) {
        sendings = left.map { sending in
            var sending = sending
            if sending.failure == nil { sending.failure = "The chat ended before it was stored." }
            return sending
        }
        retryTime = reason == nil ? nil : time
    }

    /// What the next commit sends; empty while there is another one, and before those that were not sent are due.
    /// - Parameter again: whether those are tried now.
    mutating func next(again: Bool, at time: Double) -> [Sending] {
        guard !isBusy, again || reason == nil else { return [] }
        for index in sendings.indices where sendings[index].state == .waiting {
            (sendings[index].state, sendings[index].start) = (.onItsWay, max(sendings[index].start, again ? time : 0))
        }
        retryTime = nil
        return sendings.filter { $0.state == .onItsWay }
    }

    /// Has also those tried again that only a person can help.
    mutating func retryRefused() {
        for index in sendings.indices where sendings[index].state == .refused { sendings[index].state = .waiting }
    }

    /// Removes what was sent, or is not to be sent any more.
    mutating func remove(_ id: String) { sendings.removeAll { $0.id == id } }

    /// The text itself cannot be sent: it stays, with the reason. It comes back if it was removed as sent: a server refuses it later.
    mutating func putBack(_ refused: Sending) {
        guard let index = sendings.firstIndex(where: { $0.id == refused.id }) else { return sendings.append(refused) }
        sendings[index] = refused
    }

    /// Nothing of a commit was stored: everything waits.
    /// - Parameter time: when it was tried; nil if something else says when to try again.
    mutating func fail(_ reason: String, at time: Double?) {
        for index in sendings.indices where sendings[index].state != .refused {
            (sendings[index].state, sendings[index].failure) = (.waiting, reason)
        }
        retryTime = time.map { $0 + pause }
        if time != nil { pause = min(pause * 2, Self.longestPause) }
    }

    /// Nothing can be tried: everything waits, for something else that says when to try.
    mutating func wait(_ reason: String) {
        if !isBusy { fail(reason, at: nil) }
    }

    /// A commit was stored.
    mutating func succeed() { pause = Self.firstPause }

    /// What waited for something else is tried at the next look.
    mutating func tryAgain(at time: Double) { if reason != nil, retryTime == nil, !isBusy { retryTime = time } }

    /// Takes the last text of a conversation that was not sent out of the outbox.
    mutating func takeBack(from conversation: String) -> Sending? {
        let index = sendings.lastIndex {
            $0.failure != nil && $0.state != .onItsWay && $0.conversation == conversation
        }
        return index.map { sendings.remove(at: $0) }
    }

    /// Whether a text of a conversation that was not sent is tried at this moment, so that it cannot be taken back.
    func isTrying(in conversation: String) -> Bool {
        sendings.contains { $0.failure != nil && $0.state == .onItsWay && $0.conversation == conversation }
    }

    /// When the next text counts as slow.
    func nextToTell(after time: Double) -> Double? {
        sendings.lazy.map { $0.start + Sending.patience }.filter { $0 > time }.min()
    }
}
