import FileEngine
import Foundation
import PostgreSQLBridge

/// How the commits of the server are written into a file, also while mutations are pending.
extension YapDatabaseServer {
    /// Writes fetched rows into the file, and applies the pending mutations again on top of them. Writes nothing if the file has got another
    /// position since the rows were asked for.
    /// - Parameter trial: what the server said of pending mutations that it refuses.
    /// - Returns: whether the rows were written.
    func merge(
        _ fetched: Fetched, since position: SpacePosition?, over session: ServerSession, on database: YapDatabase,
        after trial: Trial = Trial(), _ write: Writing
    ) throws -> Bool {
        var trial = trial
        /// The mutations that are not applied again, with the reasons.
        var rejections = trial.rejections
        var unready: Rebase.Unready?
        // The transaction that writes also asks whether mutations are pending: none can be added while it runs.
        var isPending = !rejections.isEmpty
        if !isPending {
            let isStored = try write { transaction in
                isPending = try transaction.hasPendingMutations()
                return isPending ? false : try writeRows(of: fetched, since: position, in: transaction)
            }
            if !isPending { return isStored }
        }
        let connection = try database.newConnection()
        var attempt = 0
        while true {
            attempt += 1
            let stored = try storedMutations(upTo: fetched.number, over: session, connection)
            if stored.isEmpty, rejections.isEmpty, unready == nil {
                var isApart = true
                let isStored = try write { transaction in
                    isApart = try self.isApart(fetched, transaction)
                    return isApart ? try writeRows(of: fetched, since: position, in: transaction) : false
                }
                if isApart { return isStored }
            }
            let rebase = Rebase(
                fetched: fetched, collections: options.collections, types: database.mutationTypes, stored: stored,
                rejections: rejections, trial: trial, unready: unready, check: { try self.refuseLosses(fetched, $0) },
                isStopped: { [followerWakeUp] in followerWakeUp.isStopped })
            do {
                let isRehearsed = attempt <= ServerLimits.rehearsals
                if let isWritten = try run(rebase, since: position, isRehearsed: isRehearsed, write) {
                    return isWritten
                }
            } catch let spoilt as Rebase.Spoilt {
                rejections[spoilt.mutation] = spoilt.reason
            } catch let refused as Rebase.Refused {
                rejections.merge(refused.reasons) { $1 }
                trial = Trial()
            } catch let first as Rebase.Unready {
                unready = first
            }
        }
    }

    /// - Parameter isRehearsed: whether the rebase is rehearsed first, so that lists see only the rows that differ in the end.
    /// - Returns: whether the rows were written; nil if another process wrote between the rehearsal and the commit.
    private func run(_ rebase: Rebase, since position: SpacePosition?, isRehearsed: Bool, _ write: Writing) throws
        -> Bool?
    {
        let fetched = rebase.fetched
        var rehearsal: Rebase.Rehearsal?
        let isKept = try write { transaction in
            guard try fits(fetched, since: position, in: transaction) else { return false }
            let made = try rebase.rehearse(in: transaction, beside: path)
            if isRehearsed {
                rehearsal = made
                transaction.rollback()
            } else {
                try rebase.keep(made, in: transaction)
                try noteWritten(
                    fetched, by: FetchedRowWriter(fetched, options.collections, in: transaction), in: transaction)
            }
            return true
        }
        guard let rehearsal else { return isKept }
        var isOvertaken = false
        let isWritten = try write { transaction in
            isOvertaken = transaction.numberBefore != rehearsal.number
            if isOvertaken { return false }
            try noteWritten(fetched, by: rebase.write(rehearsal, in: transaction), in: transaction)
            return true
        }
        return isOvertaken ? nil : isWritten
    }

    /// Whether no pending mutation depends on the rows that were fetched.
    private func isApart(_ fetched: Fetched, _ transaction: YapDatabaseReadTransaction) throws -> Bool {
        guard fetched.base != nil else { return false }
        let types = transaction.connection.database.mutationTypes
        for record in try transaction.pendingMutations() {
            guard record.state != .waiting, types.dependsOnlyOnItsRows(record.name) else { return false }
        }
        var isApart = true
        try fetched.rows.forEach { row in
            if isApart, try transaction.isReplaced(row.key) { isApart = false }
        }
        return isApart
    }

    /// Returns the pending mutations that the server has already, each with the number of its commit.
    ///
    /// The server is asked about all of them, because it may lack a mutation and have later ones: a mutation that changed nothing was not sent, and
    /// one may have been rejected for the file from which this one was copied. Costs the server a look-up for each mutation, which is little beside
    /// applying it again.
    private func storedMutations(
        upTo number: Int, over session: ServerSession, _ connection: YapDatabaseConnection
    ) throws -> [UUID: Int] {
        var stored: [UUID: Int] = [:]
        let step = 4_096
        var next = 1
        while true {
            let pending = try connection.syncRead { transaction in
                try transaction.pendingMutations(from: max(next, transaction.outbox()?.first ?? 1), limit: step)
            }
            guard let last = pending.last else { return stored }
            do {
                try session.connection.query(
                    MutationSQL.find, [.int(Int64(session.space)), .texts(pending.map(\.id.uuidString))],
                    limits: AnswerLimits(rows: step)
                ) { row in
                    let commit = try row.int(1)
                    // A mutation of a later commit is found when the rows of that commit are fetched.
                    if commit <= number { stored[try row.uuid(0)] = commit }
                }
            } catch let error as PostgreSQLError where error.sqlState == SQLState.noTable {
                // A server without a table of mutations has none.
                return [:]
            }
            if pending.count < step { return stored }
            if followerWakeUp.isStopped { throw Pusher.isClosed }
            next = last.number + 1
        }
    }

    /// Fetches the commits that the file lacks and writes them.
    func catchUp(
        _ session: ServerSession, on database: YapDatabase, after trial: Trial = Trial(),
        until deadline: ContinuousClock.Instant?, _ write: Writing
    ) throws {
        for _ in 0..<ServerLimits.attemptLimit {
            let connection = try database.newConnection()
            let (position, comparison) = try connection.syncRead { transaction in
                let position = try transaction.position()
                return (position, self.comparison(of: position, local: connection.snapshot))
            }
            try throwIfStillRefused(position, over: session)
            let fetched = try Fetch(
                space: session.space, collections: options.collections, file: path, deadline: deadline
            ).run(since: position, comparison: comparison, over: session.connection)
            guard
                try merge(fetched, since: position, over: session, on: database, after: trial, write)
            else { continue }
            return raiseKnown(to: fetched.number)
        }
        throw YapDatabaseServerError(.overtaken, "The file changed each time that it was to be brought up to date.")
    }
}
