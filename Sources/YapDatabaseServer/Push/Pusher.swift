import FileEngine
import Foundation
import PostgreSQLBridge

/// Sends transactions to the server, each under an id, so that one that is sent twice is stored once.
final class Pusher: @unchecked Sendable {
    // @unchecked: everything but `wakeUp` is used in the writers' turn only.

    let wakeUp = WakeUp()
    /// Whether a transaction that waits for the server ends.
    var mustGiveWay: () -> Bool = { false }
    private let address: ServerAddress
    private let space: String
    private let time: ServerTime
    private var session: ServerSession?
    /// How long the last connection took to make: how slow the way is.
    private var connectTime = Duration.zero
    /// Whether a transaction of the server is open, which keeps writers of other hosts out.
    private(set) var isHolding = false

    /// The answer to one push, and how it was reached.
    enum Answer {
        case accepted(Int)
        case overtaken
        case unknownBase
    }

    /// The answer to a mutation.
    enum MutationAnswer {
        /// Stored by this push, as this commit.
        case accepted(Int)
        /// Stored by an earlier one.
        case known
        /// Other commits are in the way.
        case overtaken
    }

    init(_ address: ServerAddress, space: String, _ time: ServerTime = ServerTime()) {
        (self.address, self.space, self.time) = (address, space, time)
    }

    var isConnected: Bool { session?.connection.isOpen ?? false }

    /// Connects, and tries again until the deadline.
    /// - Parameter isGivenUp: asked twenty times a second; true ends it.
    /// - Throws: also `CancellationError`, if it was given up.
    func connect(
        until deadline: ContinuousClock.Instant, isGivenUp: @escaping () -> Bool = { false }
    ) throws -> ServerSession {
        let isGivenUp = { [mustGiveWay] in isGivenUp() || mustGiveWay() }
        if let session, session.connection.isOpen { return session }
        (session, isHolding) = (nil, false)
        var pause = Duration.milliseconds(20)
        while true {
            do {
                let start = ContinuousClock.now
                let made = try ServerSession(
                    address, space: space, deadline: deadline, statementLimit: ServerLimits.statementLimit,
                    wakeUp: wakeUp, isGivenUp: isGivenUp)
                (session, connectTime) = (made, .now - start)
                made.connection.givesWay = mustGiveWay
                time.note(made.time)
                return made
            } catch is CancellationError where mustGiveWay() {
                throw YapDatabaseServerError(
                    .serverUnreachable,
                    "The server at \(address) is not reached, and a mutation was waiting for this transaction.")
            } catch let error as PostgreSQLError where error.isPassing {
                guard .now + pause < deadline else { throw YapDatabaseServerError(error) }
                let end = ContinuousClock.now + pause
                while .now < end {
                    if mustGiveWay() { throw YapDatabaseServerError(error) }
                    if isGivenUp() { throw CancellationError() }
                    wakeUp.wait(until: min(end, .now + .milliseconds(50)))
                    if wakeUp.isStopped { throw Self.isClosed }
                }
                pause = min(pause * 2, .milliseconds(500))
            } catch let error as PostgreSQLError {
                throw YapDatabaseServerError(error)
            }
        }
    }

    /// Begins a transaction of the server that keeps writers of other hosts out, until ``push(_:base:id:mode:until:)``
    /// or ``letGo()``.
    func hold(until deadline: ContinuousClock.Instant) throws -> ServerSession {
        let session = try connect(until: deadline)
        guard !isHolding else { return session }
        let limits = AnswerLimits(deadline: deadline)
        try translating {
            try session.connection.execute(
                "BEGIN; SET LOCAL idle_in_transaction_session_timeout = \(ServerLimits.holdMilliseconds)",
                limits: limits)
            isHolding = true
            try session.connection.query(SpaceSQL.hold, [.int(Int64(session.space))], limits: limits)
        }
        return session
    }

    /// Ends what ``hold(until:)`` began.
    func letGo() {
        guard isHolding else { return }
        isHolding = false
        do {
            try session?.connection.execute("ROLLBACK", limits: AnswerLimits(deadline: .now + .seconds(2)))
        } catch { session = nil }
    }

    /// Sends a transaction until there is an answer.
    /// - Throws: ``YapDatabaseServerError``: `serverUnreachable` if it is certainly not stored, `outcomeUnknown` if it may be.
    func push(
        _ outgoing: Outgoing, base: Position?, id: UUID, mode: YapDatabaseServerMode,
        until deadline: ContinuousClock.Instant
    ) throws -> Answer {
        var attempts = 0
        var hasFoundSpaceAgain = false
        while true {
            do {
                let session = try connect(until: deadline)
                attempts += 1
                return try send(
                    outgoing.parameters(space: session.space, base: base, id: id, mode: PushMode(mode)), id, session,
                    deadline)
            } catch let error as PostgreSQLError where error.sqlState == "42501" && attempts == 1 && !hasFoundSpaceAgain
            {
                // Not allowed, or the space was made again and has another number: it is looked up once more.
                (hasFoundSpaceAgain, attempts) = (true, 0)
                close()
            } catch let error as PostgreSQLError {
                // An earlier attempt may still reach the server, whatever this one reports. After an answer that cannot be read, it is
                // unknown whether the server has committed.
                let mayTryAgain = error.isPassing || error.kind == .unexpectedAnswer
                guard mayTryAgain || error.kind == .stopped || attempts > 1 else { throw YapDatabaseServerError(error) }
                session?.connection.close()
                isHolding = false
                if !mayTryAgain || .now >= deadline || mustGiveWay() {
                    return try giveUp(id, after: YapDatabaseServerError(error))
                }
            } catch let error as YapDatabaseServerError where attempts > 0 && error.code != .closed {
                return try giveUp(id, after: error)
            }
        }
    }

    private func send(
        _ parameters: [PostgreSQLValue], _ id: UUID, _ session: ServerSession, _ deadline: ContinuousClock.Instant
    ) throws -> Answer {
        let limits = AnswerLimits(deadline: deadline, rows: 1)
        var answer: (result: Int, number: Int)?
        try session.connection.query(SpaceSQL.push, parameters, limits: limits) { row in
            guard try row.uuid(2) == id else { throw PostgreSQLError.answersAnotherQuestion }
            answer = (try row.int(0), try row.int(1))
        }
        switch answer.flatMap({ PushResult(rawValue: $0.result) }) {
        case .accepted:
            if isHolding { try session.connection.execute("COMMIT", limits: limits) }
            isHolding = false
            return .accepted(answer?.number ?? 0)
        case .overtaken: return .overtaken
        case .unknownBase: return .unknownBase
        case .known: throw PostgreSQLError(.unexpectedAnswer, "The server answers a commit as it answers a mutation.")
        case .voided:
            throw YapDatabaseServerError(.serverUnreachable, "The server did not answer in time. Nothing was stored.")
        case nil:
            throw PostgreSQLError(.unexpectedAnswer, "The server's answer to a commit is none of those that there are.")
        }
    }

    /// Sends what a mutation changed, once. It may be sent again, after whatever error, because the server stores it under its id.
    ///
    /// - Parameter isHeld: whether it belongs to what ``hold(until:)`` began, and is stored with ``endHold(of:until:)``.
    func pushMutation(
        _ outgoing: Outgoing, base: Position?, id: UUID, mode: YapDatabaseServerMode, isHeld: Bool,
        until deadline: ContinuousClock.Instant
    ) throws -> MutationAnswer {
        let session = try isHeld ? held() : connect(until: deadline)
        var answer: (result: Int, number: Int)?
        try session.connection.query(
            MutationSQL.push, outgoing.parameters(space: session.space, base: base, id: id, mode: PushMode(mode)),
            limits: AnswerLimits(deadline: deadline, rows: 1)
        ) { row in
            guard try row.uuid(2) == id else { throw PostgreSQLError.answersAnotherQuestion }
            answer = (try row.int(0), try row.int(1))
        }
        switch answer.flatMap({ PushResult(rawValue: $0.result) }) {
        case .accepted: return .accepted(answer?.number ?? 0)
        case .known: return .known
        case .overtaken, .unknownBase: return .overtaken
        case .voided, nil:
            throw PostgreSQLError(
                .unexpectedAnswer, "The server's answer to a mutation is none of those that there are.")
        }
    }

    /// Commits what was pushed since ``hold(until:)``.
    ///
    /// The answer to COMMIT names nothing, so it may be another one's where a message came twice. So the last mutation is asked for.
    /// - Parameter last: the last one that was pushed; nil if none was.
    func endHold(of last: UUID?, until deadline: ContinuousClock.Instant) throws {
        let session = try held()
        isHolding = false
        try session.connection.execute("COMMIT", limits: AnswerLimits(deadline: deadline))
        guard let last else { return }
        var isStored = false
        try session.connection.query(
            MutationSQL.find, [.int(Int64(session.space)), .texts([last.uuidString])], columns: 2,
            limits: AnswerLimits(deadline: deadline, rows: 1)
        ) { row in
            guard try row.uuid(0) == last else { throw PostgreSQLError.answersAnotherQuestion }
            isStored = true
        }
        guard isStored else { throw PostgreSQLError(.lost, "The server has taken back what it had accepted.") }
    }

    /// The connection over which the space is held. A new one would not hold it.
    private func held() throws -> ServerSession {
        guard isHolding, let session, session.connection.isOpen else {
            throw PostgreSQLError(.lost, "The connection that kept other writers out has ended.")
        }
        return session
    }

    /// Makes a push that may still be on its way do nothing, if the server can be reached soon. A question for the id
    /// would not be enough: the push could arrive after it.
    private func giveUp(_ id: UUID, after error: YapDatabaseServerError) throws -> Answer {
        guard !wakeUp.isStopped else { throw unknown(error) }
        // Enough to connect and to ask.
        let deadline = ContinuousClock.now + max(ServerLimits.graceToGiveUp, connectTime * 2)
        var answer: (result: Int, number: Int)?
        do {
            let session = try connect(until: deadline)
            try session.connection.query(
                SpaceSQL.push, Outgoing.void(space: session.space, id: id),
                limits: AnswerLimits(deadline: deadline, rows: 1)
            ) { row in
                guard try row.uuid(2) == id else { throw PostgreSQLError.answersAnotherQuestion }
                answer = (try row.int(0), try row.int(1))
            }
        } catch {
            throw unknown(error)
        }
        switch answer.flatMap({ PushResult(rawValue: $0.result) }) {
        case .accepted: return .accepted(answer?.number ?? 0)
        case .voided:
            throw YapDatabaseServerError(error.code, "\(error.message) Nothing was stored.", sqlState: error.sqlState)
        default: throw unknown(error)
        }
    }

    private func unknown(_ error: any Error) -> YapDatabaseServerError {
        YapDatabaseServerError(
            .outcomeUnknown,
            "The connection ended while the server may have been storing the transaction, and no answer came within the timeout. "
                + "Nothing was stored here; if the server has it, it arrives with the next commits.", underlying: error)
    }

    static let isClosed = YapDatabaseServerError(.closed, "The database was closed. Open it again to read or write it.")

    /// Closes the connection. In the writers' turn.
    func close() { (session, isHolding) = (nil, false) }
}
