import Dispatch
import Foundation

/// Keeps the stores of released connections for new ones, because opening the file and preparing statements is most of a
/// connection's cost.
package final class IdleStores: Sendable {
    fileprivate struct State {
        /// Oldest first.
        var idle: [(store: Store, since: DispatchTime)] = []
        var limit = 5
        var lifetime: TimeInterval = 90
        var isClosed = false
        /// On its own queue: libdispatch would wake once a second to manage the threads of a global queue.
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "YapDatabase idle handles"))
    }

    private let state = Locked(State())

    package init() {
        state.withLock { state in
            state.timer.setEventHandler { [weak self] in self?.change { _ in } }
            state.timer.activate()
        }
    }

    deinit { state.withLock { $0.timer.cancel() } }

    /// The largest number of stores to keep.
    package var limit: Int {
        get { state.withLock { $0.limit } }
        set { change { $0.limit = max(0, newValue) } }
    }

    /// Seconds that a store is kept; 0 or less keeps it forever.
    package var lifetime: TimeInterval {
        get { state.withLock { $0.lifetime } }
        set { change { $0.lifetime = newValue } }
    }

    package var count: Int { state.withLock { $0.idle.count } }

    /// Removes and returns the store that was used last, whose cached pages are the newest.
    package func pop() -> Store? { state.withLock { $0.idle.popLast()?.store } }

    /// Adds a store that no connection uses. Never waits.
    package func add(_ store: Store) {
        // A store that cannot end its transaction is unusable.
        guard (try? store.rollback()) != nil else { return }
        change { $0.idle.append((store, .now())) }
    }

    /// Closes all stores and keeps no more.
    package func close() { change { $0.isClosed = true } }

    /// Applies a change, then drops stores beyond the limit or lifetime and sets the timer for the oldest that remains.
    private func change(_ body: (inout State) -> Void) {
        // Destroyed after the lock is released, because that closes files.
        var dropped: [Store] = []
        state.withLock { state in
            body(&state)
            let now = DispatchTime.now()
            let limit = state.isClosed ? 0 : state.limit
            while let oldest = state.idle.first, state.idle.count > limit || state.end(of: oldest.since) <= now {
                dropped.append(oldest.store)
                state.idle.removeFirst()
            }
            state.timer.schedule(deadline: state.idle.first.map { state.end(of: $0.since) } ?? .distantFuture)
        }
    }
}

extension IdleStores.State {
    fileprivate func end(of since: DispatchTime) -> DispatchTime { lifetime > 0 ? since + lifetime : .distantFuture }
}
