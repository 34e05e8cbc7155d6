import Dispatch
import Foundation

/// The stores of connections that went away, for the next ones: opening the file, and preparing statements anew, is most of
/// what a connection costs.
package final class IdleStores: Sendable {
    fileprivate struct State {
        /// In the order in which they came.
        var idle: [(store: Store, since: DispatchTime)] = []
        var limit = 5
        var lifetime: TimeInterval = 90
        var isClosed = false
        /// Not on a global queue: libdispatch looks after the threads of those once a second, for ever.
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

    /// Stores to keep at most.
    package var limit: Int {
        get { state.withLock { $0.limit } }
        set { change { $0.limit = max(0, newValue) } }
    }

    /// Seconds that a store is kept; 0 and less for ever.
    package var lifetime: TimeInterval {
        get { state.withLock { $0.lifetime } }
        set { change { $0.lifetime = newValue } }
    }

    package var count: Int { state.withLock { $0.idle.count } }

    /// The store that was used last, whose pages are the newest.
    package func pop() -> Store? { state.withLock { $0.idle.popLast()?.store } }

    /// Never waits. The store must be nobody else's.
    package func add(_ store: Store) {
        // One that cannot end its transaction is of no use to anybody.
        guard (try? store.rollback()) != nil else { return }
        change { $0.idle.append((store, .now())) }
    }

    /// Lets go of the file, for good.
    package func close() { change { $0.isClosed = true } }

    /// Every change goes through here: drops what is too many or too old, and sets the timer for the oldest of the rest.
    private func change(_ body: (inout State) -> Void) {
        // They close their files after the lock is free again.
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
