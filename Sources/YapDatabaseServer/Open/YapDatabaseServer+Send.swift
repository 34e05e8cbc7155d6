import FileEngine
import Foundation
import PostgreSQLBridge

/// Sends pending mutations to the server, in their order.
///
/// A mutation is sent under its own id, as the rows that it changed, on the state on which it was applied last. The server stores an id once and
/// remembers it for ever. So a mutation that is sent again does nothing: after a lost answer, by another process, from a copy of the file or from a
/// backup. Several processes of a host may send at the same time, which costs one more request.
///
/// Law: each is stored once or rejected with its own reason, as if they were sent one by one, each applied without those that were rejected before it.
/// Cost: a request for each. A batch with refused ones is sent twice more, and applied again twice with all that is pending (``Trial``).
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

    /// Sends pending mutations, in order, until none is left.
    /// - Parameters:
    ///   - end: returns until when to wait for the server's next answer, by the number of rows that it is to store.
    ///   - fetchEnd: until when commits must have been fetched; nil if they may take any time.
    ///   - write: runs write transactions of the file.
    /// - Returns: why a mutation waits although the server is reached; nil if none waits.
    /// - Throws: `YapDatabaseServerError` with `serverUnreachable` and the like. No mutation is lost then.
    func sendMutations(
        by pusher: Pusher, on database: YapDatabase, until end: (_ rows: Int) -> ContinuousClock.Instant,
        fetchingUntil fetchEnd: ContinuousClock.Instant?, _ write: Writing
    ) throws -> String? {
        let connection = try database.newConnection()
        var overtaken = 0
        /// The waiting mutation for which the file was brought up to date already.
        var retried: UUID?
        /// How many are sent next at the most.
        var most = Int.max
        defer { pusher.letGo() }
        while !pusher.wakeUp.isStopped, try connection.syncRead({ try $0.hasPendingMutations() }) {
            let (batch, deadline) = (try connection.syncRead { try MutationBatch($0, self, most: most) }, end(0))
            most = .max
            do {
                if let reason = batch.reasonOfWaiting, batch.waiting == nil || batch.waiting == retried {
                    return reason
                }
                if batch.needsCatchUp || batch.waiting != nil {
                    retried = batch.waiting
                    try catchUp(pusher.connect(until: deadline), on: database, until: fetchEnd, write)
                    continue
                }
                // While the space is held, pushed mutations are stored when the hold ends, even a single one.
                let isAlone =
                    !pusher.isHolding && batch.mutations.count == 1 && overtaken < ServerLimits.refusalsBeforeHold
                if !isAlone, let reason = try holdSpace(for: batch, by: pusher, until: deadline) { return reason }
                switch try sendBatch(batch, by: pusher, isAlone: isAlone, until: end) {
                case .accepted(let commits):
                    overtaken = 0
                    if try !write({ try accept(batch, commits, in: $0) }) {
                        try catchUp(pusher.connect(until: deadline), on: database, until: fetchEnd, write)
                    }
                case .catchUp:
                    // A hold of the space continues, so no other host is in the way for ever.
                    overtaken += 1
                    guard overtaken <= ServerLimits.attemptLimit else {
                        throw YapDatabaseServerError(
                            .overtaken,
                            "The server has mutations that this file cannot find there. They are sent again later.")
                    }
                    try catchUp(pusher.connect(until: deadline), on: database, until: fetchEnd, write)
                case .rejected(let place, let refusal):
                    let trial = trial(of: batch, refused: place, refusal, by: pusher, until: end)
                    try catchUp(pusher.connect(until: end(0)), on: database, after: trial, until: fetchEnd, write)
                    // Next, only the mutations that the server took in the trial are sent, without any that it may refuse.
                    if trial.accepted > 0 { most = trial.accepted }
                case .waits(let reason, let count):
                    guard count > 0 else { return reason }
                    // Next, the mutations before the one that waits are sent without it.
                    pusher.letGo()
                    most = count
                }
            } catch let slow as SlowMutation {
                try noteSent(batch, write)
                pusher.close()
                guard let reason = note(slow) else { throw YapDatabaseServerError(slow.error) }
                return reason
            } catch let error as PostgreSQLError {
                try noteSent(batch, write)
                pusher.close()
                var thrown = YapDatabaseServerError(error)
                // An answer that cannot be read counts as no answer: the mutation is sent again over another connection.
                if error.kind == .unexpectedAnswer { thrown.code = .serverUnreachable }
                throw thrown
            }
        }
        return nil
    }

    /// Keeps writers of other hosts out while a batch is sent.
    /// - Returns: why the batch waits instead; nil if the space is held.
    private func holdSpace(
        for batch: MutationBatch, by pusher: Pusher, until deadline: ContinuousClock.Instant
    ) throws -> String? {
        do {
            _ = try pusher.hold(until: deadline, idle: ServerLimits.holdTime(pending: batch.pending))
            return nil
        } catch let error as YapDatabaseServerError where error.code == .notAllowed {
            // A role that may not write waits with its mutations, and follows all the same.
            return error.message
        } catch let error as YapDatabaseServerError where error.sqlState == SQLState.locked {
            pusher.close()
            return error.message
        }
    }

    /// A mutation that the server did not store within the time that it got.
    private struct SlowMutation: Error {
        let record: YapMutationRecord
        let rows: Int
        let time: Duration
        let error: PostgreSQLError
    }

    /// How long the server gets for so many rows.
    func sendTime(rows: Int) -> Duration {
        let learned = rows > 0 ? slowMutation.withLock { $0?.time } : nil
        return max(learned ?? .zero, ServerLimits.sendTime(rows: rows))
    }

    /// Notes that a mutation needs more time than it got.
    /// - Returns: why it waits; nil the first time, since the server may just be away.
    private func note(_ slow: SlowMutation) -> String? {
        let isKnown = slowMutation.withLock { known in
            defer { known = (slow.record.id, min(max(slow.time * 2, .seconds(20)), ServerLimits.longestSendTime)) }
            return known?.id == slow.record.id
        }
        guard isKnown else { return nil }
        let seconds = Int(slow.time / .seconds(1))
        let rows = "\(slow.rows) row\(slow.rows == 1 ? "" : "s")"
        return """
            The server did not store the mutation "\(slow.record.name)", with \(rows), within \(seconds) s. It gets more time at the next \
            attempt. If another connection holds the space, an administrator finds it in `pg_stat_activity` as "idle in transaction" and \
            ends it with `pg_terminate_backend`.
            """
    }

    private enum BatchResult {
        /// The server has accepted the first mutations of the batch, as these commits.
        case accepted([Int])
        case catchUp
        /// The server refuses the one at this place.
        case rejected(Int, Trial.Refusal)
        /// The server would store so many mutations of the batch, and not the next one, for a reason that may pass.
        case waits(String, after: Int)
    }

    private func sendBatch(
        _ batch: MutationBatch, by pusher: Pusher, isAlone: Bool,
        until deadline: (_ rows: Int) -> ContinuousClock.Instant
    ) throws -> BatchResult {
        var commits: [Int] = []
        var base = batch.position
        var last: UUID?
        for (place, mutation) in batch.mutations.enumerated() {
            let outgoing = mutation.changes.outgoing
            if let reason = mutation.changes.refusal { return .rejected(place, Trial.Refusal(reason)) }
            // A mutation that changes nothing in this state of the space need not be sent. The server then does not know its id.
            guard !outgoing.isEmpty else {
                commits.append(base?.number ?? 0)
                continue
            }
            let (start, rows) = (ContinuousClock.now, outgoing.keys.count)
            do {
                switch try pusher.pushMutation(
                    outgoing, base: base, id: mutation.record.id, mode: mutation.mode, isHeld: !isAlone,
                    until: deadline(rows))
                {
                case .accepted(let number):
                    commits.append(number)
                    slowMutation.withLock { $0 = nil }
                    last = mutation.record.id
                    guard number == (base?.number ?? 0) + 1 else { return try end() }
                    base?.number = number
                    base?.commit = mutation.record.id
                case .known: return try end(.catchUp)
                case .overtaken: return commits.isEmpty ? .catchUp : try end()
                }
            } catch let error as PostgreSQLError {
                switch error.sqlState {
                case MutationSQL.noRight: return .waits(error.message, after: 0)
                case SQLState.noFunction:
                    return .waits(
                        "The server does not know mutations yet. `yap server init` by this release brings its tables up to date.",
                        after: 0)
                case SQLState.unique where SchemaStep.keysOfEarlierTables.contains(where: error.message.contains):
                    return .waits(
                        "Another space of this database has it. `yap server init` by this release lets each space have it.",
                        after: isAlone ? 0 : commits.count)
                case _ where error.kind == .timedOut || error.sqlState == SQLState.cancelled:
                    throw SlowMutation(record: mutation.record, rows: rows, time: .now - start, error: error)
                case _ where error.refusesRows: return .rejected(place, Trial.Refusal(error))
                case _ where error.isPassing || error.kind != .failed: throw error
                // The server cannot store anything now, or not by this role. Following goes on.
                default: return .waits("The server does not store it: \(error).", after: isAlone ? 0 : commits.count)
                }
            }
        }
        return try end()

        func end(_ sent: BatchResult? = nil) throws -> BatchResult {
            if !isAlone { try pusher.endHold(of: last, until: deadline(0)) }
            return sent ?? .accepted(commits)
        }
    }

    /// Notes in the file which mutations the server has stored, if the file still has the position and the changes that were sent.
    /// - Returns: false if the file or a mutation has changed since; the file then has to be brought up to date.
    private func accept(
        _ batch: MutationBatch, _ commits: [Int], in transaction: YapDatabaseReadWriteTransaction
    ) throws -> Bool {
        guard let position = batch.position, let present = try transaction.position(),
            present.number == position.number, present.commit == position.commit,
            present.local == transaction.numberBefore, var outbox = try transaction.outbox()
        else { return false }
        var (last, lastID) = (position.number, position.commit)
        for (mutation, commit) in zip(batch.mutations, commits) {
            guard commit == last + (mutation.changes.outgoing.isEmpty ? 0 : 1),
                try MutationChanges(of: mutation.record.number, transaction) == mutation.changes
            else {
                transaction.rollback()
                return false
            }
            if commit > last { (last, lastID) = (commit, mutation.record.id) }
            let rows = try transaction.replacedRows(by: mutation.record.number)
            try transaction.removeReplacedRows(by: mutation.record.number)
            try transaction.noteAccepted(mutation.record, commit: commit, &outbox)
            outbox.first = mutation.record.number + 1
            // Their cells show that the server has them.
            for row in rows { try transaction.touchRow(forKey: row.key.key, inCollection: row.key.collection) }
        }
        try transaction.setOutbox(outbox)
        transaction.yapDatabaseModifiedNotificationCustomObject = YapDatabaseServerCommit(number: last, rows: 0)
        try setPosition(last, lastID, after: present, in: transaction)
        noteKnown(last, in: transaction)
        return true
    }

    /// Notes in the file that the server may have the first mutations of a batch.
    private func noteSent(_ batch: MutationBatch, _ write: Writing) throws {
        guard let first = batch.mutations.first?.record, first.state == .pending else { return }
        _ = try write { transaction in
            guard var record = try transaction.pendingMutations(limit: 1).first, record.id == first.id else {
                return false
            }
            record.setState(.sent)
            try transaction.save(record)
            try transaction.stayInSpace()
            return true
        }
    }
}
