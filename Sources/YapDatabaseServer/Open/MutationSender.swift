import FileEngine
import Foundation
import PostgreSQLBridge

/// Sends pending mutations to the server, in their order, until none is left.
///
/// A mutation is sent under its own id, as the rows that it changed, on the state on which it was applied last. The server stores an id once and
/// remembers it for ever. So a mutation that is sent again does nothing: after a lost answer, by another process, from a copy of the file or from a
/// backup. Several processes of a host may send at the same time, which costs one more request.
///
/// Law: each is stored once or rejected with its own reason, as if they were sent one by one, each applied without those that were rejected before it.
/// Cost: a request for each. A batch with refused ones is sent twice more, and applied again twice with all that is pending (``Trial``).
struct MutationSender {
    let server: YapDatabaseServer
    let pusher: Pusher
    private let database: YapDatabase
    /// Until when to wait for the server's next answer, by the number of rows that it is to store.
    let end: (_ rows: Int) -> ContinuousClock.Instant
    /// Until when commits must have been fetched; nil if they may take any time.
    private let fetchEnd: ContinuousClock.Instant?
    /// Runs write transactions of the file.
    private let write: YapDatabaseServer.Writing

    /// How often in a row the server had mutations that the file could not find there.
    private var overtaken = 0
    /// The waiting mutation for which the file was brought up to date already.
    private var retried: UUID?
    /// How many are sent next at the most.
    private var most = Int.max

    init(
        _ server: YapDatabaseServer, by pusher: Pusher, on database: YapDatabase,
        until end: @escaping (_ rows: Int) -> ContinuousClock.Instant, fetchingUntil fetchEnd: ContinuousClock.Instant?,
        write: @escaping YapDatabaseServer.Writing
    ) {
        (self.server, self.pusher, self.database) = (server, pusher, database)
        (self.end, self.fetchEnd, self.write) = (end, fetchEnd, write)
    }

    /// - Returns: why a mutation waits although the server is reached; nil if none waits.
    /// - Throws: `YapDatabaseServerError` with `serverUnreachable` and the like. No mutation is lost then.
    mutating func run() throws -> String? {
        let connection = try database.newConnection()
        defer { pusher.letGo() }
        while !pusher.wakeUp.isStopped, try connection.syncRead({ try $0.hasPendingMutations() }) {
            let batch = try connection.syncRead { try MutationBatch($0, server, most: most) }
            most = .max
            do {
                if let reason = try send(batch) { return reason }
            } catch let slow as SlowMutation {
                try noteSent(batch)
                pusher.close()
                guard let reason = note(slow) else { throw YapDatabaseServerError(slow.error) }
                return reason
            } catch let error as PostgreSQLError {
                try noteSent(batch)
                pusher.close()
                var thrown = YapDatabaseServerError(error)
                // An answer that cannot be read counts as no answer: the mutation is sent again over another connection.
                if error.kind == .unexpectedAnswer { thrown.code = .serverUnreachable }
                throw thrown
            }
        }
        return nil
    }

    /// Sends a batch, or does what has to be done before it can be sent.
    /// - Returns: why a mutation waits; nil if there may be more to send.
    private mutating func send(_ batch: MutationBatch) throws -> String? {
        if let reason = batch.reasonOfWaiting, batch.waiting == nil || batch.waiting == retried { return reason }
        if batch.needsCatchUp || batch.waiting != nil {
            retried = batch.waiting
            try catchUp()
            return nil
        }
        // While the space is held, pushed mutations are stored when the hold ends, even a single one.
        let isAlone = !pusher.isHolding && batch.mutations.count == 1 && overtaken < ServerLimits.refusalsBeforeHold
        if !isAlone, let reason = try holdSpace(for: batch) { return reason }
        switch try push(batch, isAlone: isAlone) {
        case .accepted(let commits):
            overtaken = 0
            if try !write({ try accept(batch, commits, in: $0) }) { try catchUp() }
        case .overtaken:
            // A hold of the space continues, so no other host is in the way for ever.
            overtaken += 1
            guard overtaken <= ServerLimits.attemptLimit else {
                throw YapDatabaseServerError(
                    .overtaken,
                    "The server has mutations that this file cannot find there. They are sent again later.")
            }
            try catchUp()
        case .rejected(let place, let refusal):
            let trial = trial(of: batch, refused: place, refusal)
            try catchUp(after: trial)
            // Next, only the mutations that the server took in the trial are sent, without any that it may refuse.
            if trial.accepted > 0 { most = trial.accepted }
        case .waits(let reason, let count):
            guard count > 0 else { return reason }
            // Next, the mutations before the one that waits are sent without it.
            pusher.letGo()
            most = count
        }
        return nil
    }

    private func catchUp(after trial: Trial = Trial()) throws {
        try server.catchUp(pusher.connect(until: end(0)), on: database, after: trial, until: fetchEnd, write)
    }

    /// Keeps writers of other hosts out while a batch is sent.
    /// - Returns: why the batch waits instead; nil if the space is held.
    private func holdSpace(for batch: MutationBatch) throws -> String? {
        do {
            _ = try pusher.hold(until: end(0), idle: ServerLimits.holdTime(pending: batch.pending))
            return nil
        } catch let error as YapDatabaseServerError where error.code == .notAllowed {
            // A role that may not write waits with its mutations, and follows all the same.
            return error.message
        } catch let error as YapDatabaseServerError where error.sqlState == SQLState.locked {
            pusher.close()
            return error.message
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
        try server.setPosition(last, lastID, after: present, in: transaction)
        server.noteKnown(last, in: transaction)
        return true
    }

    /// Notes in the file that the server may have the first mutations of a batch.
    private func noteSent(_ batch: MutationBatch) throws {
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

    /// Notes that a mutation needs more time than it got.
    /// - Returns: why it waits; nil the first time, since the server may just be away.
    private func note(_ slow: SlowMutation) -> String? {
        let isKnown = server.slowMutation.withLock { known in
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
}
