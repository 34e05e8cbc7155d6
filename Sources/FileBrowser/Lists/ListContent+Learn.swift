import YapDatabase

extension ListContent {
    /// Counts the whole list, on the caller's thread.
    package func learn(isCancelled: () -> Bool = { false }) throws {
        for group in groups {
            guard let source = sources[group] else { continue }
            while !isCancelled(), try snapshot.work({ try source.learn($0) }) {}
        }
    }
}
