import Foundation
import PostgreSQLBridge

extension MutationSender {
    /// What the server made of a batch.
    enum Answer {
        /// It has accepted the first mutations, as these commits.
        case accepted([Int])
        /// The file has to be brought up to date first: other hosts were first, or the server has a mutation of the batch already.
        case overtaken
        /// It refuses the one at this place.
        case rejected(Int, Trial.Refusal)
        /// It would store so many mutations, and not the next one, for a reason that may pass.
        case waits(String, after: Int)
    }

    /// A mutation that the server did not store within the time that it got.
    struct SlowMutation: Error {
        let record: YapMutationRecord
        let rows: Int
        let time: Duration
        let error: PostgreSQLError
    }

    /// Sends the mutations of a batch one after the other, and ends the hold of the space, if there is one.
    /// - Parameter isAlone: whether it is one mutation, which is sent without a hold.
    func push(_ batch: MutationBatch, isAlone: Bool) throws -> Answer {
        var commits: [Int] = []
        var base = batch.position
        var last: UUID?
        func finish(_ answer: Answer? = nil) throws -> Answer {
            if !isAlone { try pusher.endHold(of: last, until: end(0)) }
            return answer ?? .accepted(commits)
        }
        for (place, mutation) in batch.mutations.enumerated() {
            let outgoing = mutation.changes.outgoing
            if let reason = mutation.changes.refusal { return .rejected(place, Trial.Refusal(reason)) }
            // A mutation that changes nothing in this state of the space need not be sent. The server then does not know its id.
            guard !outgoing.isEmpty else {
                commits.append(base?.number ?? 0)
                continue
            }
            let start = ContinuousClock.now
            do {
                switch try pusher.pushMutation(
                    outgoing, base: base, id: mutation.record.id, mode: mutation.mode, isHeld: !isAlone,
                    until: end(outgoing.keys.count))
                {
                case .accepted(let number):
                    commits.append(number)
                    server.slowMutation.withLock { $0 = nil }
                    last = mutation.record.id
                    guard number == (base?.number ?? 0) + 1 else { return try finish() }
                    base?.number = number
                    base?.commit = mutation.record.id
                case .known: return try finish(.overtaken)
                case .overtaken: return commits.isEmpty ? .overtaken : try finish()
                }
            } catch let error as PostgreSQLError {
                if let reason = Self.reasonOfWaiting(error) {
                    return .waits(reason.text, after: isAlone || reason.holdsAll ? 0 : commits.count)
                }
                if error.isTooSlow {
                    throw SlowMutation(
                        record: mutation.record, rows: outgoing.keys.count, time: .now - start, error: error)
                }
                guard error.refusesRows else { throw error }
                return .rejected(place, Trial.Refusal(error))
            }
        }
        return try finish()
    }

    /// Why mutations wait after an error that is neither an outage nor a refusal of rows: the server cannot store anything now, or not by this role.
    /// - Returns: the reason, and whether the mutations before the one that failed wait, too; nil for other errors.
    private static func reasonOfWaiting(_ error: PostgreSQLError) -> (text: String, holdsAll: Bool)? {
        switch error.sqlState {
        case MutationSQL.noRight: return (error.message, true)
        case SQLState.noFunction:
            return (
                "The server does not know mutations yet. `yap server init` by this release brings its tables up to date.",
                true
            )
        case SQLState.unique where SchemaStep.keysOfEarlierTables.contains(where: error.message.contains):
            return (
                "Another space of this database has it. `yap server init` by this release lets each space have it.",
                false
            )
        default:
            if error.isTooSlow || error.refusesRows || error.isPassing || error.kind != .failed { return nil }
            return ("The server does not store it: \(error).", false)
        }
    }
}

extension PostgreSQLError {
    /// Whether the server did not answer, or gave up, in the time that it got.
    fileprivate var isTooSlow: Bool { kind == .timedOut || sqlState == SQLState.cancelled }
}
