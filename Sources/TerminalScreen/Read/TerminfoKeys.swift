import TerminalCells

extension Terminfo {
    /// This terminal's own key sequences, by their bytes. Terminfo must be loaded.
    @MainActor static var keys: [[UInt8]: Key] {
        var named: [(String, Key)] = [
            ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home), ("kend", .end),
            ("kpp", .pageUp), ("knp", .pageDown), ("kich1", .insert), ("kdch1", .delete), ("kent", .enter),
        ]
        named += (1...12).map { ("kf\($0)", .function($0)) }
        var keys: [[UInt8]: Key] = [:]
        for (name, key) in named {
            guard let sequence = string(name).map({ Array($0.utf8) }) else { continue }
            // Entries of a single byte are ignored: each byte has a fixed key.
            if sequence.count > 1, sequence.first == InputParser.escape { keys[sequence] = key }
        }
        return keys
    }
}
