import Foundation
import LiveTable

/// What became of a text that was to be sent.
enum SendingResult: Hashable, Sendable {
    /// It is in the file, as this message; nil for a change of one.
    case stored(Message?)
    /// It was sent or taken back elsewhere: by another chat of the same person, or before this one was killed.
    case gone
    /// Why it cannot be sent as it is.
    case refused(String)

    var isRefusal: Bool { if case .refused = self { true } else { false } }
}

extension YapDatabaseReadTransaction {
    /// The texts that a person has left unsent in the file, from the first one on.
    func unsent(by person: String) throws -> [Sending] {
        let keys = try self[Chat.drafts].keys().filter {
            $0.hasPrefix("\(person)/") && $0.split(separator: "/").count == 3
        }
        return try keys.compactMap { try self[Chat.drafts].readable($0)?.unsent }.sorted { $0.date < $1.date }
    }
}

extension YapDatabaseReadWriteTransaction {
    /// Sends texts in their order, each once: under its id, and only as long as it is kept here or in a file.
    func send(
        _ sendings: [Sending], keptIn files: UnsentFiles, at clock: Date = WallClock.now
    ) throws -> [String: SendingResult] {
        var results: [String: SendingResult] = [:]
        for sending in sendings {
            guard try !sending.isKept || files.has(sending.id) || self[Chat.drafts].contains(sending.key) else {
                results[sending.id] = .gone
                continue
            }
            do {
                results[sending.id] = .stored(try sendKept(sending, at: clock))
            } catch let error as any RefusedSending {
                // Found out before anything was written.
                results[sending.id] = .refused("\(error)")
            }
        }
        return results
    }

    /// Sends a text, which is not kept any more then.
    func sendKept(_ sending: Sending, at clock: Date) throws -> Message? {
        let message = try storeMessage(of: sending, at: clock)
        try self[Chat.drafts].remove(sending.key)
        // Otherwise a chat that is killed now would show it as half written, too.
        let place = Seat.key(sending.person, sending.conversation)
        if try self[Chat.drafts].readable(place)?.draft == sending.draft { try self[Chat.drafts].remove(place) }
        return message
    }

    private func storeMessage(of sending: Sending, at clock: Date) throws -> Message? {
        let draft = sending.draft
        if let edited = draft.edited {
            try edit(edited, text: draft.text, by: sending.person, at: clock)
            return nil
        }
        guard let conversation = Conversation(id: sending.conversation) else { throw NoConversationThere() }
        let last = try self[Chat.conversations].view.lastObject(inGroup: conversation.id) as? Message
        // A message that waited while others wrote does not stand before theirs.
        let date = min(clock, max(sending.date, last?.time ?? sending.date))
        let message = Message(
            draft.text, kind: sending.kind ?? .text, in: conversation, by: sending.person, id: sending.id,
            date: date, reply: draft.reply)
        if try !self[Chat.messages].contains(sending.id) { try append(message) }
        return message
    }

    /// Keeps texts that were not sent, as drafts are kept, unless another chat of the same person has sent them.
    func keep(_ sendings: [Sending]) throws {
        for sending in sendings where try !self[Chat.messages].contains(sending.id) {
            try self[Chat.drafts].save(StoredDraft(key: sending.key, draft: Draft(), unsent: sending))
        }
    }
}

/// Why a text cannot be sent as it is. Thrown before anything is written.
protocol RefusedSending: Error {}

extension MessageIsGone: RefusedSending {}
extension NotTheAuthor: RefusedSending {}

struct NoConversationThere: RefusedSending, CustomStringConvertible {
    var description: String { "The conversation is of a kind that this version does not know." }
}
