import Foundation
import LiveTable

/// Plays the people of a script in a file, beside real ones: their messages, and their signs of life while it runs.
///
/// While one of its commits is pending it pauses; otherwise a file that is locked for long would get a queue of them, with
/// the user's messages at its end.
@MainActor final class Performer {
    private struct Presence {
        var status: String?
        var typing: String?
    }

    private let chat: ChatDatabase
    private var script: any Script
    private let fail: (any Error) -> Void
    /// Those who are online.
    private var online: [String: Presence] = [:]
    private var count = 0
    private var nextBeat = 0.0
    private var pending = 0
    /// The messages that are stored.
    private(set) var sent = 0

    init(_ script: any Script, in chat: ChatDatabase, onFailure: @escaping (any Error) -> Void) {
        self.chat = chat
        self.script = script
        fail = onFailure
    }

    var nextTime: Double? {
        pending > 0 ? nil : [script.nextTime, nextBeat].compactMap(\.self).filter(\.isFinite).min()
    }

    func hear(_ message: Message, at now: Double) { script.hear(message, at: now) }

    /// Does what is due.
    func perform(at now: Double) {
        guard pending == 0 else { return }
        let events = script.due(by: now)
        for event in events { perform(event) }
        if now >= nextBeat || events.contains(where: \.isOfPresence) {
            nextBeat = now + (chat.holdsSession ? Heartbeat.periodWithLock : Heartbeat.period)
            beat()
        }
    }

    private func perform(_ event: ScriptEvent) {
        switch event {
        case .comes(let name): online[name] = Presence()
        case .goesAway(let name, let status): online[name] = Presence(status: status)
        case .leaves(let name): online[name] = nil
        case .types(let name, let conversation): online[name, default: Presence()].typing = conversation.id
        case .says(let name, let conversation, let text):
            online[name, default: Presence()].typing = nil
            let date = chat.now
            commit { transaction in
                try transaction.join(name, at: date, isSimulated: true)
                try transaction.enter(conversation, name, at: date)
                let message = Message(text, in: conversation, by: name, date: date)
                try transaction.append(message)
                if let sent = try transaction[Chat.messages][message.id] {
                    try transaction.markRead(by: name, in: conversation.id, upTo: sent.position, at: date)
                }
            }
            sent += 1
        case .takesBack(let name, let conversation):
            commit { transaction in
                if let last = try transaction.last(in: conversation, where: { $0.isBy(name) && !$0.isDeleted }) {
                    try transaction.delete(last.id, by: name)
                }
            }
        case .reacts(let name, let conversation, let emoji):
            commit { transaction in
                if let last = try transaction.last(in: conversation, where: { !$0.isBy(name) && !$0.isDeleted }) {
                    try transaction.react(emoji, to: last.id, by: name)
                }
            }
        }
    }

    private func beat() {
        count += 1
        let (count, online, session) = (count, online, chat.session)
        let people = script.people
        let (holds, date) = (chat.holdsSession, chat.now)
        commit { transaction in
            for name in people {
                let key = "\(name)/\(session)"
                guard let presence = online[name] else {
                    if let beat = try transaction[Chat.presence].readable(key) {
                        try transaction.end([beat], at: date)
                    }
                    continue
                }
                try transaction.join(name, at: date, isSimulated: true)
                try transaction.beat(
                    Heartbeat(
                        person: name, session: session, count: count, date: date, typing: presence.typing,
                        holds: holds))
                try transaction.setAway(presence.status, of: name, at: date)
            }
        }
    }

    /// Ends the presence of its people.
    func leave() {
        online = [:]
        pending = 0
        beat()
    }

    private func commit(_ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Void) {
        pending += 1
        chat.commit(
            { [weak self] result in
                self?.pending -= 1
                if case .failure(let error) = result { self?.fail(error) }
            }, body)
    }
}

extension ScriptEvent {
    fileprivate var isOfPresence: Bool {
        switch self {
        case .comes, .goesAway, .leaves, .types, .says: true
        case .takesBack, .reacts: false
        }
    }
}

extension YapDatabaseReadTransaction {
    /// The last of the newest messages that passes a test.
    func last(in conversation: Conversation, where test: (Message) -> Bool) throws -> Message? {
        let list = try self[Chat.conversations]
        let count = list.count(in: conversation.id)
        for index in (max(0, count - 50)..<count).reversed() {
            if let message = try list.value(at: index, in: conversation.id), test(message) { return message }
        }
        return nil
    }
}
