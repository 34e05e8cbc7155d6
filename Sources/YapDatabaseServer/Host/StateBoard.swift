import FileEngine
import Foundation

/// The state of a file, for any number of readers who follow it.
final class StateBoard: Sendable {
    private let content = Locked(Content())

    private struct Content {
        var state = YapDatabaseServerState.connecting
        var readers: [UUID: AsyncStream<YapDatabaseServerState>.Continuation] = [:]
        var isOver = false
    }

    var state: YapDatabaseServerState { content.withLock { $0.state } }

    /// - Returns: whether it is another one.
    @discardableResult func set(_ state: YapDatabaseServerState) -> Bool {
        let readers = content.withLock { content -> [AsyncStream<YapDatabaseServerState>.Continuation]? in
            guard content.state != state else { return nil }
            content.state = state
            return Array(content.readers.values)
        }
        for reader in readers ?? [] { reader.yield(state) }
        return readers != nil
    }

    /// The state and those that follow; a slow reader gets the newest.
    func states() -> AsyncStream<YapDatabaseServerState> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { reader in
            let id = UUID.random()
            let (state, isOver) = content.withLock { content in
                if !content.isOver { content.readers[id] = reader }
                return (content.state, content.isOver)
            }
            reader.yield(state)
            if isOver { return reader.finish() }
            reader.onTermination = { [weak self] _ in self?.content.withLock { $0.readers[id] = nil } }
        }
    }

    func end() {
        let readers = content.withLock { content in
            content.isOver = true
            defer { content.readers = [:] }
            return Array(content.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}
