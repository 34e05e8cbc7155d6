import FileEngine
import Foundation

/// What a file asks of its server besides write transactions: to send its mutations.
extension YapDatabaseServer {
    /// Runs a write transaction.
    typealias Writing = (_ body: (YapDatabaseReadWriteTransaction) throws -> Bool) throws -> Bool

    package var collections: YapDatabaseServerCollections { options.collections }

    package func mutationsChanged() {
        hasNewMutations.store(true, ordering: .releasing)
        // Typing does not make the follower ask an unreachable server more often.
        if board.state.isLive { followerWakeUp.nudge() }
    }

    package func mutationWaits(_ isWaiting: Bool) {
        waitingMutations.withLock { count in
            count += isWaiting ? 1 : -1
            // The other processes of the host see it, too.
            if count == (isWaiting ? 1 : 0) { locks.setMutationWaits(isWaiting) }
        }
        if isWaiting { pusher.wakeUp.nudge() }
    }

    package var isAwaitedElsewhere: Bool { locks.isTakenElsewhere(.writing) }

    /// Whether a transaction that waits for the server must end, because a mutation of this process or of another one of the host waits behind it and
    /// the server is unreachable.
    func mustGiveWay(isSilent: Bool) -> Bool {
        (isSilent || board.state.isAway) && (waitingMutations.withLock { $0 > 0 } || locks.isTakenElsewhere(.mutation))
    }

    /// Publishes a new state of the file towards its server.
    /// - Returns: whether the state differs from the one before.
    @discardableResult func note(_ state: YapDatabaseServerState) -> Bool {
        guard board.set(state) else { return false }
        // A transaction that waits for the server checks whether it must end.
        if state.isAway { pusher.wakeUp.nudge() }
        return true
    }

    package func beginFollowing(in transaction: YapDatabaseReadWriteTransaction) throws {
        let position = SpacePosition(
            number: 0, commit: nil, local: options.replacesLocalRows ? -1 : transaction.numberOfCommit,
            collections: options.collections.line, space: options.space)
        try transaction.setPosition(position, replacing: nil)
        try transaction.setFileValue(address.text, SpaceValue.address)
        transaction.whenCommitted { self.hasFollowed.store(true, ordering: .releasing) }
    }

    /// How long the server gets for so many rows.
    func sendTime(rows: Int) -> Duration {
        let learned = rows > 0 ? slowMutation.withLock { $0?.time } : nil
        return max(learned ?? .zero, ServerLimits.sendTime(rows: rows))
    }
}
