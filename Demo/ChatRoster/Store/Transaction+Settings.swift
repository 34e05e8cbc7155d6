import LiveTable

extension YapDatabaseReadWriteTransaction {
    /// Stores a person's settings. The numbers of conversations stay.
    func store(_ settings: Settings, of person: String) throws {
        guard try self[Chat.settings].mayReplace(person) else { return }
        let numbers = try self[Chat.settings].readable(person)?.numbers
        try self[Chat.settings].save(StoredSettings(person: person, settings: settings, numbers: numbers))
    }

    /// Stores the numbers of a person's conversations, those of another chat of the person first.
    /// - Parameter settings: what is stored with them where there is no row yet.
    func number(_ numbers: [String: Int], for person: String, _ settings: Settings) throws {
        guard try self[Chat.settings].mayReplace(person) else { return }
        var stored =
            try self[Chat.settings].readable(person) ?? StoredSettings(person: person, settings: settings)
        let conversations = try roster(of: person).map(\.conversation)
        stored.numbers = ConversationNumbers.completed([stored.numbers ?? [:], numbers], for: conversations)
        try self[Chat.settings].save(stored)
    }
}
