import Foundation
import LiveTable

/// Files in which one name stands in two Unicode forms: "José" with é as one character and as two.
///
/// Earlier chats took names as they were typed, and keys are bytes, so such a file has two people, or two rooms, of a name that looks and
/// compares the same. They become one when the file is opened, under the form that names have today (``Person/checked(_:)``):
///
/// - Messages of both are in one conversation, in the order of their dates. None is changed otherwise, and none is lost.
/// - A person has joined when the first of the two did. A room has the members of both, and a topic if one has.
/// - What was read is what was read of the form with unread messages: a message may be unread again, none is skipped. Only a
///   conversation that is muted in both forms is muted.
/// - Drafts of both are one text, one below the other.
///
/// Rows that cannot be decoded stay where they are. An earlier chat that still runs on the file may write the other form again; the next
/// start of this chat converts it. On a file that follows a server this goes on in the background, and waits for the next
/// start if the server is away: until then both forms are shown and readable.
extension ChatDatabase {
    /// Messages that are moved in one transaction.
    private static let step = 2_000

    func bringNamesIntoOneForm() throws {
        guard try writer.read({ try $0.hasOtherForms() }) else { return }
        // If the server is away, or goes away meanwhile, or answers with an error, the next start tries again. No one waits for the work in the
        // background, so its error is not shown.
        guard delay == nil else { return DispatchQueue.global().async { [self] in try? bringTogether() } }
        do { try bringTogether() } catch  where delay != nil {}
    }

    private func bringTogether() throws {
        while try writer.readWrite({ try $0.moveMessages(Self.step) }) {}
        try writer.readWrite { try $0.mergeForms() }
    }
}

extension YapDatabaseReadTransaction {
    /// Looks at people, rooms, conversations and whose rosters there are: everything else has its names from them. Who has only entered a
    /// room, in an earlier chat, is no row of the people but has a roster.
    fileprivate func hasOtherForms() throws -> Bool {
        let rows = try self[Chat.people].keys() + self[Chat.rooms].keys()
        let groups = try self[Chat.conversations].groups + self[Chat.roster].groups
        return !(rows + groups).allSatisfy(\.isInOneForm)
    }
}

extension YapDatabaseReadWriteTransaction {
    /// Moves messages to the conversation whose id has the form of today.
    /// - Returns: whether there are more.
    fileprivate func moveMessages(_ limit: Int) throws -> Bool {
        var moved = 0
        let list = try self[Chat.conversations]
        for group in list.groups where !group.isInOneForm {
            // Those that stay where they are: what a row says of itself need not be so.
            var staying = 0
            while let key = try list.key(at: staying, in: group) {
                if moved == limit { return true }
                let count = list.count(in: group)
                try self[Chat.messages].updateReadable(key) { $0.move(to: group.inOneForm) }
                if list.count(in: group) < count { moved += 1 } else { staying += 1 }
            }
        }
        return false
    }

    /// Makes one of what is there twice, when the messages are together.
    fileprivate func mergeForms() throws {
        try merge(Chat.people, by: \.name) { name, forms in
            Person(
                name: name, joined: forms.compactMap(\.joined).min(), standing: forms[0].standing,
                away: forms.compactMap(\.away).first, lastSeen: forms.compactMap(\.lastSeen).max(),
                isSimulated: forms.allSatisfy(\.isSimulated))
        }
        try merge(Chat.rooms, by: \.id) { id, forms in
            var members: [String] = []
            // Swift compares texts whatever their form.
            for name in forms.flatMap(\.members) where !members.contains(name) { members.append(name.inOneForm) }
            return Room(
                id: id, topic: forms.map(\.topic).first { !$0.isEmpty } ?? "", members: members,
                isForAll: forms.contains(where: \.isForAll))
        }
        try merge(Chat.seats, by: \.key) { _, forms in merged(forms) }
        try merge(Chat.drafts, by: \.key) { key, forms in
            let drafts = forms.map(\.draft)
            var draft = drafts.first { $0.edited != nil || $0.reply != nil } ?? drafts[0]
            draft.text = drafts.map(\.text).filter { !$0.isEmpty }.joined(separator: "\n")
            draft.waiting = drafts.compactMap(\.waiting).first
            // What was not sent has a key of its own.
            return StoredDraft(key: key, draft: draft, unsent: forms.compactMap(\.unsent).first)
        }
        try merge(Chat.settings, by: \.person) { person, forms in
            var settings = forms[0].settings
            settings.open = settings.open?.inOneForm
            let numbers = forms.compactMap(\.numbers).first.map { numbers in
                Dictionary(numbers.map { ($0.key.inOneForm, $0.value) }) { first, _ in first }
            }
            return StoredSettings(person: person, settings: settings, numbers: numbers)
        }
    }

    /// Replaces the rows whose keys are one key in different forms by one row.
    /// - Parameter body: receives the key in the form of today, and the rows. A row that has this key comes first.
    private func merge<Value: Codable & Sendable>(
        _ collection: YapCollection<Value, String, Never>, by key: KeyPath<Value, String>,
        _ body: (String, [Value]) throws -> Value?
    ) throws {
        // Keys of a dictionary are equal whatever their form.
        let rows = Dictionary(grouping: try self[collection].readableValues()) { $0[keyPath: key] }
        for (name, forms) in rows.sorted(by: { $0.key < $1.key }) {
            let (form, places) = (name.inOneForm, forms.map { $0[keyPath: key] })
            let present = forms.indices.filter { places[$0].isInOneForm }
            let others = forms.indices.filter { !places[$0].isInOneForm }
            // The form of today may be there, of another version of the chat: then both stay.
            if present.isEmpty, try self[collection].contains(form) { continue }
            guard let one = try body(form, (present + others).map { forms[$0] }) else { continue }
            for other in others { try self[collection].remove(places[other]) }
            // The values are equal if their texts are, in whatever form.
            if others.isEmpty, try Self.bytes(one) == Self.bytes(forms[0]) { continue }
            try self[collection].save(one)
        }
    }

    private static func bytes(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(value)
    }

    /// One seat of a person's seats in the forms of a conversation.
    private func merged(_ forms: [Seat]) -> Seat? {
        let first = forms[0]
        guard let conversation = Conversation(id: first.conversation.inOneForm) else { return nil }
        var seat = Seat(first.person.inOneForm, in: conversation, opened: forms.map(\.opened).max() ?? first.opened)
        seat.isMuted = forms.allSatisfy(\.isMuted)
        // Messages are together by now. Which form had none to read, only an earlier release has noted.
        let waiting = forms.filter { $0.oldUnread != 0 }
        let read = waiting.min { $0.read < $1.read } ?? forms.max { $0.read < $1.read } ?? first
        (seat.read, seat.readTime) = (read.read, read.readTime)
        return seat
    }
}
