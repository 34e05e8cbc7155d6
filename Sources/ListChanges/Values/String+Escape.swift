extension String {
    /// Puts an escape before each of some ASCII characters.
    ///
    /// They are compared by bytes, as the readers of escaped texts do: for them a quotation mark is one with a combining mark behind it, too, which
    /// Swift takes for another character.
    ///
    /// ```swift
    /// "it's".escaping("'", with: "'")   // "it''s", as SQL has it
    /// ```
    package func escaping(_ characters: String, with escape: String) -> String {
        guard utf8.contains(where: characters.utf8.contains) else { return self }
        var bytes: [UInt8] = []
        for byte in utf8 {
            if characters.utf8.contains(byte) { bytes += escape.utf8 }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
