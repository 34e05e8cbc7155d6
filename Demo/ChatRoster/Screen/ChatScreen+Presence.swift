import Foundation
import LiveTable

/// The signs of life that this chat gives.
struct Pulse {
    /// Seconds without a key after which a person counts as idle.
    static let idle = 300.0
    /// Seconds after the last key until which a person counts as typing.
    static let typing = 4.0
    /// Seconds between two looks at how the file stands to its server.
    static let lookPeriod = 0.5

    var count = 0
    /// When the next sign is due; nil while one is on its way.
    var next: Double? = 0
    /// When the last one was given.
    var last = -Double.infinity
    /// The commit whose signs were read last.
    var snapshot: Int?
    /// When signs of others that are over may be removed next.
    var nextEnd = 0.0
    /// When the server's state is looked at next.
    var nextLook = 0.0
    /// When the locks of others are looked at next.
    var nextCheck = 0.0
    /// What the last one said.
    var typingIn: String?
    var isIdle = false
}

extension ChatScreen {
    /// Gives a sign of life if one is due, and notices whose signs have ended.
    func lookAround(at time: Double) throws {
        let snapshot = tables.connection.snapshot
        if snapshot != pulse.snapshot {
            pulse.snapshot = snapshot
            watch.note(try tables.connection.read { try $0[Chat.presence].readableValues() }, at: time, chat.now)
            pulse.nextCheck = time
        }
        if time >= pulse.nextCheck {
            pulse.nextCheck = time + Heartbeat.period
            watch.look(at: time, own: chat.session) { chat.database.isHeldByOthers(name: $0) }
        }
        if time >= pulse.nextLook {
            pulse.nextLook = time + Pulse.lookPeriod
            try lookAtServer(at: time)
        }
        state.typing = watch.typing(in: state.composer.conversation, besides: chat.me, at: time)
        let own = "\(chat.me)/\(chat.session)"
        let over = watch.over(at: time).filter { $0.key != own }
        // A try would keep drafts and messages waiting until its timeout.
        guard chat.whyNotWritable == nil else {
            pulse.next = pulse.next.map { max($0, time + Heartbeat.period) }
            return
        }
        if !over.isEmpty, time >= pulse.nextEnd {
            pulse.nextEnd = time + 0.5
            chat.commit { [chat] in try $0.end(over, at: chat.now) }
        }
        beat(at: time)
    }

    private func beat(at time: Double) {
        guard let next = pulse.next else { return }
        let isTyping = state.lastTyped.map { time - $0 < Pulse.typing } ?? false
        let typingIn = isTyping ? state.composer.conversation : nil
        let isIdle = time - state.lastInput > Pulse.idle
        let saysMore = typingIn != pulse.typingIn || chat.holdsSession && isIdle != pulse.isIdle
        guard saysMore || time >= next || isForgotten(at: time) else { return }
        pulse.count += 1
        pulse.next = nil
        (pulse.last, pulse.typingIn, pulse.isIdle) = (time, typingIn, isIdle)
        let beat = Heartbeat(
            person: chat.me, session: chat.session, count: pulse.count, date: chat.now, typing: typingIn,
            isIdle: isIdle,
            holds: chat.holdsSession)
        chat.commit({ [weak self] result in
            // Another failure is told where it loses something.
            guard let self else { return }
            if case .failure(let error as YapDatabaseError) = result { loseFile(error) }
            let isStored = if case .success = result { true } else { false }
            pulse.next = isStored && chat.holdsSession ? nextNews() : max(time + Heartbeat.period, now() + 0.2)
            state.screen.redraw()
        }) { try $0.beat(beat) }
    }

    /// When there is something else to say than the last sign said, if no key is pressed, or it is to be said again.
    private func nextNews() -> Double {
        let endOfTyping = pulse.typingIn == nil ? nil : state.lastTyped.map { $0 + Pulse.typing }
        let idle = pulse.isIdle ? nil : state.lastInput + Pulse.idle + 0.01
        return [endOfTyping, idle, pulse.last + Heartbeat.periodWithLock].compactMap(\.self).min()!
    }

    /// Whether the sign that this chat gave is no longer in the file: another program took it for that of a chat that has ended.
    private func isForgotten(at time: Double) -> Bool {
        pulse.count > 0 && time >= pulse.last + Heartbeat.period && !watch.knows("\(chat.me)/\(chat.session)")
    }

    /// Ends the presence of this chat and its script, and keeps what is being written. The file waits for it when it closes.
    func leave() {
        performer?.leave()
        if state.composer.draft != storedDraft { store(state.composer.draft, in: state.composer.conversation) }
        let own = "\(chat.me)/\(chat.session)"
        chat.commit { [chat] transaction in
            if let beat = try transaction[Chat.presence].readable(own) { try transaction.end([beat], at: chat.now) }
        }
    }

    // MARK: Drafts

    /// Stores what is being written, a moment after it has changed.
    func keepDraft(at time: Double) {
        let draft = state.composer.draft
        if draft == storedDraft {
            draftDue = nil
        } else if let due = draftDue {
            if time >= due {
                draftDue = nil
                store(draft, in: state.composer.conversation)
            }
        } else {
            draftDue = time + 0.3
        }
    }

    func store(_ draft: Draft, in conversation: String) {
        if conversation == state.composer.conversation { storedDraft = draft }
        let key = Seat.key(chat.me, conversation)
        chat.commit { transaction in
            if draft.isEmpty {
                try transaction[Chat.drafts].remove(key)
            } else {
                try transaction[Chat.drafts].save(StoredDraft(key: key, draft: draft))
            }
        }
    }

    func storeSettings() {
        let (me, settings) = (chat.me, state.settings)
        chat.commit { try $0.store(settings, of: me) }
    }
}
