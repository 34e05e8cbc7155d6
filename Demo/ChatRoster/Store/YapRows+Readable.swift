import LiveTable

/// Access to rows of which some may not be decodable, for example because another version of the chat wrote them. The chat leaves such a row out.
/// It must not prevent the start of the chat, nor affect other rows.
extension YapRows {
    /// Returns the value of a key; nil if there is none, or if it cannot be decoded.
    func readable(_ key: Key) throws -> Value? {
        try ChatRoster.readable { try self[key] }
    }

    /// All values that can be decoded.
    func readableValues() throws -> [Value] { try decodableValues().values }
}

extension YapRows where Transaction == YapDatabaseReadWriteTransaction {
    /// Changes a value in place. A row that cannot be decoded stays as it is.
    func updateReadable(_ key: Key, _ change: (inout Value) throws -> Void) throws {
        if try readable(key) != nil { try update(key, change) }
    }

    /// Whether a value may be saved under a key: not over a row that cannot be decoded, which another version of the chat wrote, or another program.
    func mayReplace(_ key: Key) throws -> Bool { try readable(key) != nil || !contains(key) }
}

extension YapDatabaseReadTransaction {
    /// The rows that this chat leaves out because it cannot decode them.
    func unreadable() throws -> [YapDatabaseUndecodableRow] {
        let seats = ext(Chat.peers.name)
        return try self[Chat.people].decodableValues().problems + self[Chat.rooms].decodableValues().problems
            + self[Chat.presence].decodableValues().problems + (seats?.problems ?? [])
            + self[Chat.conversations].problems
    }
}

extension RowContext {
    /// Returns the row's object; nil if it cannot be decoded.
    func readable() throws -> Any? { try ChatRoster.readable(object) }
}

/// Returns the value that the body reads; nil if the row cannot be decoded.
func readable<Value>(_ read: () throws -> Value?) throws -> Value? {
    do {
        return try read()
    } catch let error as YapDatabaseError where error.code == .decodingFailed {
        return nil
    }
}
