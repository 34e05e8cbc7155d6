import Foundation
import LiveTable

extension ChatScreen {
    func perform(_ command: ChatCommand) throws {
        let me = chat.me
        switch command {
        case .me: send(kind: .action)
        case .join(let name):
            let room = try Conversation.named(name.hasPrefix("#") ? name : "#\(name)", by: me)
            if try tables.connection.read({ try $0.members(of: room).contains(me) }) {
                return try show(opened: room.id)
            }
            commit(after(room.id)) { try $0.join(room, me) }
        case .to(let name):
            let conversation = try tables.connection.read { try $0.conversation(named: name, by: me) }
            if case .room = conversation { return try perform(.join(name)) }
            if state.roster.contains(where: { $0.conversation == conversation.id }) {
                return try show(opened: conversation.id)
            }
            commit(after(conversation.id)) { try $0.open(conversation, for: me, at: Date()) }
        case .leave:
            let room = try room()
            commit({ [weak self] result in
                self?.report(result)
                self?.attempt { try self?.openFirst(besides: room.id) }
            }) { try $0.leave(room, me) }
        case .invite(let name):
            let (room, guest) = (try room(), try Person.checked(name.hasPrefix("@") ? String(name.dropFirst()) : name))
            commit(report) { try $0.invite(guest, to: room, by: me) }
        case .topic(let topic):
            let room = try room()
            commit(report) { try $0.setTopic(topic, of: room, by: me) }
        case .away(let text):
            if commit(report, { try $0.setAway(text, of: me, at: Date()) }) {
                show(notice: text.map { "You are away: \($0)" } ?? "You are back.")
            }
        case .search(let words):
            state.prompt = .search(PromptLine(.words, TextField(words)))
            search(words)
            try layOut()
        case .date(let day): try jump(toDay: day)
        case .mute:
            let key = Seat.key(me, state.composer.conversation)
            let isMuted = !(state.seat?.isMuted ?? false)
            if commit(report, { try $0[Chat.seats].update(key) { $0.isMuted = isMuted } }) {
                show(
                    notice: isMuted
                        ? "You are told nothing of this conversation." : "You are told of this conversation again.")
            }
        case .quiet:
            state.settings.isQuiet.toggle()
            storeSettings()
            show(
                notice: state.settings.isQuiet
                    ? "You are told nothing until /quiet." : "You are told of messages again.")
        case .set(let which, let isOn):
            switch which {
            case .bell: state.settings.bell = isOn
            case .title: state.settings.title = isOn
            case .notify: state.settings.notify = isOn
            }
            storeSettings()
            show(notice: "\(which.rawValue) is \(isOn ? "on" : "off").")
        case .help: state.screen.text = state.keys.help(theme)
        case .quit: state.screen.request(.quit)
        }
    }

    /// Runs a transaction that needs the server, if there is one. Where it is known that nothing can be written, this is told at once: a
    /// try would take until its timeout, and keep others waiting.
    /// - Returns: whether it runs.
    @discardableResult
    func commit(
        _ completion: @escaping ChatDatabase.Completion,
        _ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Void
    ) -> Bool {
        if let reason = chat.whyNotWritable {
            show(failure: "This is not possible now: \(reason)")
            return false
        }
        chat.commit(completion, body)
        return true
    }

    /// Opens a conversation when a commit has made it.
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
