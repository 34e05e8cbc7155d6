import Foundation
import LiveTable
import NearestName

extension ChatScreen {
    func run(_ command: ChatCommand) throws {
        switch command {
        case .me: send(kind: .action)
        case .join(let name): try join(name)
        case .to(let name): try openConversation(named: name)
        case .say(let text, let name): try say(text, to: name)
        case .list: try showRooms()
        case .leave: try leaveRoom()
        case .invite(let name):
            let (room, guest) = (try room(), try knownPerson(name))
            try carryOut(.invite(guest, room), report)
        case .kick(let name):
            let (room, guest) = (try room(), try knownPerson(name))
            guard state.members.contains(guest) else { throw NotInRoom(name: guest, room: room.id) }
            try carryOut(.kick(guest, room), report)
        case .topic(let topic):
            let room = try room()
            try carryOut(.topic(topic, room), report)
        case .away(let text): setAway(text)
        case .search(let words):
            state.prompt = .search(PromptLine(.words, TextField(words)))
            search(words)
            try layOut()
        case .date(let day): try jump(toDay: day)
        case .mute: try toggleMute()
        case .quiet: toggleQuiet()
        case .set(let which, let isOn): set(which, isOn)
        case .help: state.screen.text = state.keys.help(theme)
        case .quit: state.screen.request(.quit)
        }
    }

    /// Performs the command of a line. A line that fails stays in the composer.
    func runLine(_ command: ChatCommand) throws {
        if case .me = command { return try run(command) }
        let line = state.composer.take(command)
        do { try run(command) } catch {
            if let line, state.composer.field.isEmpty {
                state.composer.replaceText(line)
                state.failedLine = line
            }
            throw error
        }
    }

    /// Starts a change that other people see.
    /// - Parameter completion: receives the result when the change is stored or has failed.
    /// - Throws: ``NotPossibleNow`` if it is known already that nothing can be written.
    func carryOut(_ deed: ChatDeed.What, _ completion: @escaping ChatDatabase.Completion) throws {
        if let reason = chat.whyNotPossible { throw NotPossibleNow(reason: reason) }
        chat.carryOut(deed, completion)
    }

    // MARK: Settings

    private func toggleMute() throws {
        let isMuted = !(state.row?.seat.isMuted ?? false)
        try carryOut(.mute(isMuted, conversation: state.composer.conversation), report)
        show(
            notice: isMuted ? "You are told nothing of this conversation." : "You are told of this conversation again.")
    }

    private func toggleQuiet() {
        state.settings.isQuiet.toggle()
        storeSettings()
        show(notice: state.settings.isQuiet ? "You are told nothing until /quiet." : "You are told of messages again.")
    }

    private func set(_ which: ChatCommand.Switch, _ isOn: Bool) {
        switch which {
        case .bell: state.settings.bell = isOn
        case .title: state.settings.title = isOn
        case .notify: state.settings.notify = isOn
        }
        storeSettings()
        show(notice: "\(which.rawValue) is \(isOn ? "on" : "off").")
    }

    // MARK: Conversations

    private func join(_ name: String) throws {
        let me = chat.me
        let room = try Conversation.named(name.hasPrefix("#") ? name : "#\(name)", by: me)
        if try tables.connection.read({ try $0.members(of: room).contains(me) }) {
            return try show(opened: room.id)
        }
        try carryOut(.join(room), after(room.id))
    }

    private func openConversation(named name: String) throws {
        let conversation = try known(name)
        if case .room = conversation { return try run(.join(name)) }
        if state.roster.contains(where: { $0.conversation == conversation.id }) {
            return try show(opened: conversation.id)
        }
        try carryOut(.open(conversation), after(conversation.id))
    }

    private func say(_ text: String, to name: String) throws {
        let (conversation, me) = (try known(name), chat.me)
        guard try tables.connection.read({ try $0.members(of: conversation).contains(me) }) else {
            throw NoMember(room: conversation.id)
        }
        send(Draft(text: text), in: conversation.id)
        if state.roster.contains(where: { $0.conversation == conversation.id }) {
            try show(opened: conversation.id)
        }
    }

    private func leaveRoom() throws {
        let room = try room()
        try carryOut(.leave(room)) { [weak self] result in
            self?.report(result)
            self?.attempt { try self?.openFirst(besides: room.id) }
            if case .success = result {
                self?.show(notice: "You have left \(room.id): /join \(room.id) enters it again.")
            }
        }
    }

    /// Returns the conversation with a room or a person of this name.
    /// - Throws: ``UnknownPerson`` if no person of the chat has the name, ``UnknownRoom`` if no room has it.
    private func known(_ name: String) throws -> Conversation {
        let conversation = try tables.connection.read { try $0.conversation(named: name, by: chat.me) }
        if let other = conversation.other(than: chat.me) { _ = try knownPerson(other) }
        if case .room = conversation {
            let rooms = try tables.connection.read { try $0[Chat.rooms].keys() }
            guard rooms.contains(conversation.id) else {
                throw UnknownRoom(id: conversation.id, nearest: nearestName(to: conversation.id, in: rooms))
            }
        }
        return conversation
    }

    /// Returns the name of a person who has been in this chat. A misspelt name would address a person who does not exist.
    /// - Throws: ``UnknownPerson``.
    private func knownPerson(_ text: String) throws -> String {
        let wanted = try Person.checked(text.hasPrefix("@") ? String(text.dropFirst()) : text)
        let people = try tables.connection.read { try $0[Chat.people].keys() }
        // A person to whom a conversation was opened before the first message is on the own roster only.
        let names = people + state.roster.compactMap(\.seat.other).filter { !people.contains($0) }
        let alike = names.filter { $0.lowercased() == wanted.lowercased() }
        if let name = names.contains(wanted) ? wanted : alike.count == 1 ? alike[0] : nil { return name }
        throw UnknownPerson(
            name: wanted, nearest: nearestName(to: wanted, in: names.filter { $0 != chat.me }),
            invitation: facts.invitationOfOthers)
    }

    private func showRooms() throws {
        let rooms = try tables.connection.read { try $0[Chat.rooms].readableValues() }
        if rooms.isEmpty { return show(notice: "There is no room yet: /join #NAME makes one.") }
        state.prompt = .goTo(GoTo(rooms: rooms.sorted { $0.id < $1.id }, of: chat.me))
    }

    /// Returns a completion that opens a conversation when a commit has made it.
    private func after(_ id: String) -> ChatDatabase.Completion {
        { [weak self] result in
            guard let self else { return }
            report(result)
            guard case .success = result else { return }
            attempt {
                _ = try tables.advance(at: now())
                try refresh(tells: false)
                try show(opened: id)
            }
            state.screen.redraw()
        }
    }

    private func show(opened id: String) throws {
        try open(id)
        try move(to: .input)
    }

    private func openFirst(besides id: String) throws {
        _ = try tables.advance(at: now())
        try refresh(tells: false)
        let next = state.roster.first { $0.conversation != id }
        try open(next?.conversation ?? Conversation.note(chat.me).id)
    }

    private func room() throws -> Conversation {
        guard let conversation = state.conversation, case .room = conversation else { throw NoRoom() }
        return conversation
    }
}

struct NoRoom: Error, CustomStringConvertible {
    var description: String { "This is not a room: /join #NAME enters one." }
}

/// The error of a command that cannot run because nothing can be written now.
struct NotPossibleNow: Error, CustomStringConvertible {
    let reason: String
    var description: String { "This is not possible now: \(reason)" }
}

/// The error of a command that names a room that does not exist. A misspelt name would make one that everyone sees.
struct UnknownRoom: Error, CustomStringConvertible {
    let id: String
    let nearest: String?

    var description: String {
        "There is no room \(id). " + (nearest.map(didYouMean) ?? "/join \(id) makes it.")
    }
}

struct NotInRoom: Error, CustomStringConvertible {
    let name: String
    let room: String
    var description: String { "\(name) is not in \(room)." }
}

struct NoMember: Error, CustomStringConvertible {
    let room: String
    var description: String { "You are not in \(room): /join \(room) enters it." }
}
