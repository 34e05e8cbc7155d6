import FileEngine
import Foundation
import PostgreSQLBridge

/// How a file takes commits, also while mutations are pending.
extension YapDatabaseServer {
    /// Writes fetched rows below what is pending, unless the file has moved on since they were asked for.
    /// - Parameter rejections: pending mutations that are not applied again.
    /// - Returns: whether they were written.
    func take(
        _ fetched: Fetched, since position: Position?, over session: ServerSession, on database: YapDatabase,
        rejecting rejections: [UUID: String] = [:], _ write: Writing
    ) throws -> Bool {
        var rejections = rejections
        var unready: Rebase.Unready?
        // Whether there is something pending is asked in the transaction that writes, beside which nothing is mutated.
        var isPending = !rejections.isEmpty
        if !isPending {
            let isStored = try write { transaction in
                isPending = try transaction.hasPendingMutations()
                return isPending ? false : try store(fetched, since: position, in: transaction)
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
                    return isApart ? try store(fetched, since: position, in: transaction) : false
                }
                if isApart { return isStored }
            }
            let rebase = Rebase(
                fetched: fetched, collections: options.collections, types: database.mutationTypes, stored: stored,
                rejections: rejections, unready: unready, check: { try self.refuseLosses(fetched, $0) },
                isStopped: { [followerWakeUp] in followerWakeUp.isStopped })
            do {
                let isRehearsed = attempt <= ServerLimits.rehearsals
                if let isWritten = try run(rebase, since: position, isRehearsed: isRehearsed, write) {
                    return isWritten
                }
            } catch let spoilt as Rebase.Spoilt {
                rejections[spoilt.mutation] = spoilt.reason
            } catch let first as Rebase.Unready {
                unready = first
            }
        }
    }

    /// - Parameter isRehearsed: whether lists see only what differs in the end.
    /// - Returns: nil if another process wrote between the rehearsal and the commit.
    private func run(_ rebase: Rebase, since position: Position?, isRehearsed: Bool, _ write: Writing) throws -> Bool? {
        let fetched = rebase.fetched
        var rehearsal: Rebase.Outcome?
        let isKept = try write { transaction in
            guard try fits(fetched, since: position, in: transaction) else { return false }
            let outcome = try rebase.rehearse(in: transaction, beside: path)
            if isRehearsed {
                rehearsal = outcome
                transaction.rollback()
            } else {
                try rebase.keep(outcome, in: transaction)
                try end(fetched, Apply(fetched, options.collections, in: transaction), in: transaction)
            }
            return true
        }
        guard let rehearsal else { return isKept }
        var isOvertaken = false
        let isWritten = try write { transaction in
            isOvertaken = transaction.numberBefore != rehearsal.number
            if isOvertaken { return false }
            try end(fetched, rebase.write(rehearsal, in: transaction), in: transaction)
            return true
        }
        return isOvertaken ? nil : isWritten
    }

    /// Whether nothing that is pending depends on what has arrived.
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

    /// Which of the first pending mutations the server has, and as which commits. They are sent in order, so those that it has are the first
    /// ones.
    private func storedMutations(
        upTo number: Int, over session: ServerSession, _ connection: YapDatabaseConnection
    ) throws -> [UUID: Int] {
        var stored: [UUID: Int] = [:]
        var (next, step) = (1, 4)
        while true {
            let pending = try connection.syncRead { transaction in
                try transaction.pendingMutations(from: max(next, transaction.outbox()?.first ?? 1), limit: step)
            }
            guard let last = pending.last else { return stored }
            var found = 0
            do {
                try session.connection.query(
                    MutationSQL.find, [.int(Int64(session.space)), .texts(pending.map(\.id.uuidString))],
                    limits: AnswerLimits(rows: step)
                ) { row in
                    found += 1
                    let commit = try row.int(1)
                    // A later one comes with the rows of its commit.
                    if commit <= number { stored[try row.uuid(0)] = commit }
                }
            } catch let error as PostgreSQLError where error.sqlState == "42P01" {
                // A server that knows no mutations has none.
                return [:]
            }
            guard found == pending.count else { return stored }
            (next, step) = (last.number + 1, min(step * 8, 4_096))
        }
    }

    /// Fetches what the file lacks and takes it.
    func catchUp(
        _ session: ServerSession, on database: YapDatabase, rejecting rejections: [UUID: String] = [:],
        _ write: Writing
    ) throws {
        for _ in 0..<ServerLimits.attemptLimit {
            let connection = try database.newConnection()
            let (position, comparison) = try connection.syncRead { transaction in
                let position = try transaction.position()
                return (position, self.comparison(of: position, local: connection.snapshot))
            }
            try throwIfStillRefused(position, over: session)
            let fetched = try Fetch(space: session.space, collections: options.collections, file: path).run(
                since: position, comparison: comparison, over: session.connection)
            guard
                try take(fetched, since: position, over: session, on: database, rejecting: rejections, write)
            else { continue }
            return known.store(max(fetched.number, known.load(ordering: .relaxed)), ordering: .releasing)
        }
        throw YapDatabaseServerError(.overtaken, "The file changed each time that it was to be brought up to date.")
    }
}
