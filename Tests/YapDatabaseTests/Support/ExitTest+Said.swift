import Testing

extension ExitTest.Result? {
    /// Whether the program said this before it stopped.
    func said(_ words: String) -> Bool {
        guard let self else { return false }
        return String(decoding: self.standardErrorContent, as: UTF8.self).contains(words)
    }
}
