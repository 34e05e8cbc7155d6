import Foundation
import LiveTable

/// What a person said with `/away`, until it is stored in the file.
struct AwayWish: Hashable {
    /// The reason for being away; nil if the person is back.
    let text: String?

    /// The notice that the screen shows while nothing can be written.
    var promise: String {
        text.map { "That you are away waits for the server: \($0)" } ?? "That you are back waits for the server."
    }
}

extension ChatScreen {
    /// Updates what the screen knows of the server. Continues work that has waited for the server, if it is reached again.
    func lookAtServer(at time: Double) throws {
        if chat.loss.withLock({ $0 }) != nil, chat.database.isInPlace {
            chat.loss.withLock { $0 = nil }
            followPlace()
        }
        state.delay = chat.delay
        let reason = chat.whyNotWritable
        if let reason = chat.whyNotPossible {
            state.composer.outbox.wait(reason)
        } else {
            state.composer.outbox.tryAgain(at: time)
        }
        guard facts.isPresenceKnown != (reason == nil) else { return }
        facts.isPresenceKnown = reason == nil
        try roster.update { table, source in table.reload(source: source, at: time) }
        isBackAgain = reason == nil
        guard isBackAgain else {
            facts.arrived = 0
            // The notice may say that the server is back.
            if state.screen.message?.isFailure == false { state.screen.message = nil }
            return
        }
        storeAwayWish()
        // If messages wait, the notice comes when they are sent.
        if state.composer.outbox.reason == nil, facts.pending.isEmpty {
            tellBackAgain(sent: facts.arrived)
        }
    }

    /// Watches the path of the file, so that a person who only reads is also told when the file was moved, removed or replaced.
    func followPlace() {
        // If the system has no watch left, the next write finds it out.
        placeWatch = try? chat.database.watchPlace { [weak self] error in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.loseFile(error) } }
        }
    }

    func loseFile(_ error: YapDatabaseError) {
        guard error.code == .fileReplaced, chat.loss.withLock({ $0 }) == nil else { return }
        chat.loss.withLock { $0 = error }
        attempt { try lookAtServer(at: now()) }
        fail(error)
    }

    /// Shows how many messages were sent after they had waited.
    func tellBackAgain(sent count: Int) {
        if isBackAgain {
            show(notice: count > 0 ? "Back again, \(count) sent." : "Back again.")
        } else if count > 0 {
            show(notice: count == 1 ? "Now it was sent." : "Now \(count) messages were sent.")
        }
        isBackAgain = false
    }

    // MARK: Mutations

    /// Updates what the screen knows of the mutations that the server does not have yet, and of those that it rejected. Does nothing if the
    /// outbox has not changed.
    func lookAtMutations(_ transaction: YapDatabaseReadTransaction) throws {
        guard chat.sendsLater, let outbox = try transaction.outbox(), outbox != facts.outbox else { return }
        facts.outbox = outbox
        for record in try transaction.rejectedMutations() where facts.rejected.insert(record.id).inserted {
            // A server may reject a text before its sending has ended here, which removes it from the outbox.
            chat.afterDeeds { [weak self] in self?.hear(ofRejected: record) }
        }
        // Rows that were drawn from this commit have read them already.
        try facts.marks.update(transaction)
        let pending = facts.marks.messages
        guard pending != facts.pending else { return }
        facts.arrived += facts.pending.subtracting(pending).count
        (facts.pending, state.pendingMessages) = (pending, pending.count)
        mustRedraw = true
        if pending.isEmpty, isBackAgain { tellBackAgain(sent: facts.arrived) }
    }

    /// Shows a mutation that could not be applied when the server was reached again. Its text is kept as an unsent message. The text of an edit
    /// is kept as a new message, because the edited message may be gone.
    private func hear(ofRejected record: YapMutationRecord) {
        guard let deed = record.deed, deed.person == chat.me else { return }
        let reason = record.reason ?? ""
        if case .send(var sending) = deed.what {
            sending.draft.edited = nil
            sending.draft.waiting = nil
            refuse(sending, reason) { [chat] in chat.forget(record) }
            attempt { try layOut() }
        } else {
            show(failure: reason)
            chat.forget(record)
        }
        state.screen.redraw()
    }

    // MARK: Away

    /// Stores that the person is away, or back: now, or as soon as the file can be written.
    func setAway(_ text: String?) {
        awayWish = AwayWish(text: text)
        show(notice: text.map { "You are away: \($0)" } ?? "You are back.")
        storeAwayWish()
    }

    private func storeAwayWish() {
        guard let wish = awayWish else { return }
        guard chat.whyNotWritable == nil else { return show(notice: wish.promise) }
        let (me, date) = (chat.me, chat.now)
        chat.commit({ [weak self] result in
            guard let self, awayWish == wish else { return }
            guard case .failure(let error) = result else { return awayWish = nil }
            // The server went away meanwhile.
            if chat.whyNotWritable != nil { return show(notice: wish.promise) }
            awayWish = nil
            fail(error)
        }) { try $0.setAway(wish.text, of: me, at: date) }
    }
}

extension ChatState {
    /// Shows a text over the screen: why the file is not up to date with its server, and the last error.
    mutating func showWhyBehind() {
        let waiting = composer.outbox.sendings.count + pendingMessages
        let waits = waiting == 0 ? "" : waiting == 1 ? "\n\n1 message waits." : "\n\n\(waiting) messages wait."
        // That of a write to a file that is gone says the same for programmers.
        let error = delay?.subject == ServerDelay.file ? nil : screen.lastMessage
        let last = error.map { "\n\nThe last error: \($0.text)" } ?? ""
        screen.text = Overlay(
            delay?.subject ?? ServerDelay.server, text: (delay?.reason ?? "") + waits + last, in: screen.size,
            theme: screen.theme)
    }
}
