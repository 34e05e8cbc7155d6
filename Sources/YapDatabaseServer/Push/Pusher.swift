import FileEngine
import Foundation
import PostgreSQLBridge

/// Sends transactions to the server, each under an id, so that one that is sent twice is stored once.
final class Pusher: @unchecked Sendable {
    // @unchecked: everything but `wakeUp` has one user at a time. One that writes is used by the connection whose turn it is to write, one that
    // sends mutations by the thread of the follower.

    let wakeUp = WakeUp()
    /// Whether a transaction that waits for the server must end. The parameter says whether it knows itself that the server is silent.
    var mustGiveWay: (_ isSilent: Bool) -> Bool = { _ in false }
    private let address: ServerAddress
    private let space: String
    private let time: ServerTime
    private var session: ServerSession?
    /// How long it took to make the last connection, which shows how slow the network is.
    private var connectTime = Duration.zero
    /// Whether a server that answers and refuses the connection for now is asked again until the deadline. The thread of the follower has other work.
    let isPatient: Bool
    /// Whether a transaction is open on the server that keeps writers of other hosts out.
    private(set) var isHolding = false

    /// The answer to the push of a transaction.
    enum Answer {
        case accepted(Int)
        case overtaken
        case unknownBase
    }

    /// The answer to the push of a mutation.
    enum MutationAnswer {
        /// This push has stored it, as the commit with this number.
        case accepted(Int)
        /// An earlier push has stored it.
        case known
        /// The space has newer commits than its base.
        case overtaken
    }

    init(_ address: ServerAddress, space: String, _ time: ServerTime = ServerTime(), isPatient: Bool = true) {
        (self.address, self.space, self.time, self.isPatient) = (address, space, time, isPatient)
    }

    var isConnected: Bool { session?.connection.isOpen ?? false }

    /// Returns the open connection, or makes one. Tries again until the deadline.
    /// - Parameter isGivenUp: called twenty times a second; true ends the attempt.
    /// - Throws: also `CancellationError`, if `isGivenUp` returned true.
    func connect(
        until deadline: ContinuousClock.Instant, isGivenUp: @escaping () -> Bool = { false }
    ) throws -> ServerSession {
        if let session, session.connection.isOpen { return session }
        // The follower, which else notices that the server is away, may itself wait for the turn of this transaction.
        let silence = ContinuousClock.now + ServerLimits.probeInterval + ServerLimits.answerPatience
        let mustGiveWay = { [mustGiveWay] in mustGiveWay(.now > silence) }
        let isGivenUp = { isGivenUp() || mustGiveWay() }
        (session, isHolding) = (nil, false)
        var pause = Self.firstPause
        while true {
            do {
                let start = ContinuousClock.now
                let made = try ServerSession(
                    address, space: space, deadline: deadline, statementLimit: ServerLimits.statementLimit,
                    wakeUp: wakeUp, isGivenUp: isGivenUp)
                (session, connectTime) = (made, .now - start)
                made.connection.givesWay = { [mustGiveWay = self.mustGiveWay] in mustGiveWay($0 > ServerLimits.slowness)
                }
                time.note(made.time)
                return made
            } catch is CancellationError where mustGiveWay() {
                throw YapDatabaseServerError(
                    .serverUnreachable,
                    "The server at \(address) is not reached, and a mutation was waiting for this transaction.")
            } catch let error as PostgreSQLError where error.isPassing {
                guard .now + pause < deadline, isPatient || !error.isOf(SQLState.notNow) else {
                    throw YapDatabaseServerError(error)
                }
                let end = ContinuousClock.now + pause
                while .now < end {
                    if mustGiveWay() { throw YapDatabaseServerError(error) }
                    if isGivenUp() { throw CancellationError() }
                    wakeUp.wait(until: min(end, .now + .milliseconds(50)))
                    if wakeUp.isStopped { throw Self.isClosed }
                }
                pause = min(pause * 2, Self.longestPause)
            } catch let error as PostgreSQLError {
                throw YapDatabaseServerError(error)
            }
        }
    }

    /// Begins a transaction of the server that keeps writers of other hosts out, until ``push(_:base:id:mode:until:)``
    /// or ``letGo()``.
    /// - Parameter idle: how long they may be kept out without a word to the server.
    func hold(until deadline: ContinuousClock.Instant, idle: Duration = ServerLimits.holdTime) throws -> ServerSession {
        let session = try connect(until: deadline)
        guard !isHolding else { return session }
        let limits = AnswerLimits(deadline: deadline)
        try translating {
            try session.connection.execute(
                "BEGIN; SET LOCAL idle_in_transaction_session_timeout = \(Int(idle / .milliseconds(1)))",
                limits: limits)
            isHolding = true
            try session.connection.query(SpaceSQL.hold, [.int(Int64(session.space))], limits: limits)
        }
        return session
    }

    /// Ends what ``hold(until:idle:)`` began.
    func letGo() {
        guard isHolding else { return }
        isHolding = false
        do {
            try session?.connection.execute("ROLLBACK", limits: AnswerLimits(deadline: .now + .seconds(2)))
        } catch { session = nil }
    }

    /// Sends a transaction, again and again until there is an answer.
    /// - Throws: ``YapDatabaseServerError``: `serverUnreachable` if the transaction is certainly not stored, `outcomeUnknown` if it may be.
    func push(
        _ outgoing: Outgoing, base: SpacePosition?, id: UUID, mode: YapDatabaseServerMode,
        until deadline: ContinuousClock.Instant
    ) throws -> Answer {
        var attempts = 0
        var hasFoundSpaceAgain = false
        /// Whether an attempt has ended without an answer: it may still reach the server, whatever the attempts after it report.
        var mayBeStored = false
        var pause = Self.firstPause
        while true {
            do {
                let session = try connect(until: deadline)
                attempts += 1
                return try pushOnce(
                    outgoing.parameters(space: session.space, base: base, id: id, mode: PushMode(mode)), id, session,
                    deadline)
            } catch let error as PostgreSQLError
                where error.sqlState == SQLState.noRight && attempts == 1 && !hasFoundSpaceAgain
            {
                // This is not allowed, or the space was created again and has another number: the number is looked up once more.
                (hasFoundSpaceAgain, attempts) = (true, 0)
                close()
            } catch let error as PostgreSQLError {
                // After an answer that cannot be read, it is unknown whether the server has committed.
                let mayTryAgain = error.isPassing || error.kind == .unexpectedAnswer
                mayBeStored = mayBeStored || !error.isAnswer
                if error.sqlState == SQLState.cancelled, deadline <= .now, !mayBeStored { throw Self.isHeld }
                guard mayTryAgain || mayBeStored else { throw YapDatabaseServerError(error) }
                session?.connection.close()
                isHolding = false
                let isRefusedForNow = error.isOf(SQLState.notNow)
                let next = ContinuousClock.now + (isRefusedForNow ? pause : .zero)
                // An attempt that would be cut off would leave it open whether it is stored.
                let isLate = next + (isRefusedForNow ? connectTime * 2 : .zero) >= deadline
                if !mayTryAgain || isLate || mustGiveWay(false) {
                    let error = YapDatabaseServerError(error)
                    guard mayBeStored else { throw error.withNothingStored }
                    return try giveUp(id, after: error)
                }
                if isRefusedForNow {
                    wakeUp.wait(until: next)
                    pause = min(pause * 2, Self.longestPause)
                }
            } catch let error as YapDatabaseServerError where attempts > 0 && error.code != .closed {
                guard mayBeStored else { throw error.withNothingStored }
                return try giveUp(id, after: error)
            }
        }
    }

    private func pushOnce(
        _ parameters: [PostgreSQLValue], _ id: UUID, _ session: ServerSession, _ deadline: ContinuousClock.Instant
    ) throws -> Answer {
        let (result, number) = try ask(
            SpaceSQL.push, parameters, id, session, deadline, patienceToCancel: ServerLimits.graceToGiveUp)
        switch result {
        case .accepted:
            guard isHolding else { return .accepted(number) }
            try session.connection.execute("COMMIT", limits: AnswerLimits(deadline: deadline, rows: 1))
            isHolding = false
            // As for mutations, the answer may be that to another statement. To give the transaction up tells whether the server has it.
            let stored = try ask(SpaceSQL.push, Outgoing.void(space: session.space, id: id), id, session, deadline)
            guard stored.result == .accepted, stored.number == number else { throw Self.isTakenBack }
            return .accepted(number)
        case .overtaken: return .overtaken
        case .unknownBase: return .unknownBase
        case .known: throw PostgreSQLError(.unexpectedAnswer, "The server answers a commit as it answers a mutation.")
        case .voided:
            throw YapDatabaseServerError(.serverUnreachable, "The server did not answer in time. Nothing was stored.")
        case nil:
            throw PostgreSQLError(.unexpectedAnswer, "The server's answer to a commit is none of those that there are.")
        }
    }

    /// Runs one of the statements that store something, and checks that the answer is that to this id.
    private func ask(
        _ sql: String, _ parameters: [PostgreSQLValue], _ id: UUID, _ session: ServerSession,
        _ deadline: ContinuousClock.Instant, patienceToCancel: Duration? = nil
    ) throws -> (result: PushResult?, number: Int) {
        var answer: (result: PushResult?, number: Int) = (nil, 0)
        let limits = AnswerLimits(deadline: deadline, patienceToCancel: patienceToCancel, rows: 1)
        try session.connection.query(sql, parameters, limits: limits) { row in
            guard try row.uuid(2) == id else { throw PostgreSQLError.answersAnotherQuestion }
            answer = (PushResult(rawValue: try row.int(0)), try row.int(1))
        }
        return answer
    }

    /// Sends the changes of a mutation once. After any error they may be sent again, because the server stores an id only once.
    ///
    /// - Parameter isHeld: whether it is sent in the transaction that ``hold(until:idle:)`` began, and is stored by ``endHold(of:until:)``.
    func pushMutation(
        _ outgoing: Outgoing, base: SpacePosition?, id: UUID, mode: YapDatabaseServerMode, isHeld: Bool,
        until deadline: ContinuousClock.Instant
    ) throws -> MutationAnswer {
        let session = try isHeld ? held() : connect(until: deadline)
        try session.allow(deadline - .now, until: deadline)
        let parameters = outgoing.parameters(space: session.space, base: base, id: id, mode: PushMode(mode))
        let (result, number) = try ask(MutationSQL.push, parameters, id, session, deadline)
        switch result {
        case .accepted: return .accepted(number)
        case .known: return .known
        case .overtaken, .unknownBase: return .overtaken
        case .voided, nil:
            throw PostgreSQLError(
                .unexpectedAnswer, "The server's answer to a mutation is none of those that there are.")
        }
    }

    /// Statements about a place in the transaction that ``hold(until:idle:)`` began, to which it can return.
    enum Mark: String {
        case set = "SAVEPOINT tried"
        case move = "RELEASE SAVEPOINT tried; SAVEPOINT tried"
        case goBack = "ROLLBACK TO SAVEPOINT tried"
    }

    func run(_ mark: Mark, until deadline: ContinuousClock.Instant) throws {
        try held().connection.execute(mark.rawValue, limits: AnswerLimits(deadline: deadline))
    }

    /// Commits the mutations that were pushed since ``hold(until:idle:)``.
    ///
    /// The answer to COMMIT does not name what was committed. If a message arrives twice, it may belong to another COMMIT. So this asks whether the
    /// server has the last mutation.
    /// - Parameter last: the id of the last mutation that was pushed; nil if none was.
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
        guard isStored else { throw Self.isTakenBack }
    }

    /// Returns the connection over which the space is held. A new connection would not hold it.
    private func held() throws -> ServerSession {
        guard isHolding, let session, session.connection.isOpen else {
            throw PostgreSQLError(.lost, "The connection that kept other writers out has ended.")
        }
        return session
    }

    /// Tells the server to ignore a push that may still be on its way, if the server can be reached soon. It would not be enough to ask whether the
    /// server has the id, because the push could arrive later.
    private func giveUp(_ id: UUID, after error: YapDatabaseServerError) throws -> Answer {
        guard !wakeUp.isStopped else { throw unknown(error) }
        // Enough to connect and to ask.
        let deadline = ContinuousClock.now + max(ServerLimits.graceToGiveUp, connectTime * 2)
        let answer: (result: PushResult?, number: Int)
        do {
            let session = try connect(until: deadline)
            answer = try ask(SpaceSQL.push, Outgoing.void(space: session.space, id: id), id, session, deadline)
        } catch {
            throw unknown(error)
        }
        switch answer.result {
        case .accepted: return .accepted(answer.number)
        case .voided: throw error.withNothingStored
        default: throw unknown(error)
        }
    }

    private func unknown(_ error: any Error) -> YapDatabaseServerError {
        YapDatabaseServerError(
            .outcomeUnknown,
            "There was no answer while the server may have been storing the transaction, and it could not be asked whether it has it. "
                + "Nothing was stored here; if the server has it, it arrives with the next commits. The reason: \(error)",
            underlying: error)
    }

    /// Between two attempts at a server that answers that it does not take them now.
    private static let (firstPause, longestPause) = (Duration.milliseconds(20), Duration.milliseconds(500))

    /// The next attempt, or giving it up, tells what the server has.
    private static let isTakenBack = PostgreSQLError(.lost, "The server has taken back what it had accepted.")

    /// The server waits for the lock of the space before it writes anything.
    private static let isHeld = YapDatabaseServerError(
        .serverUnreachable,
        """
        The server did not store the transaction in time and has given it up. If another connection holds the space, an administrator finds it in \
        `pg_stat_activity` as "idle in transaction" and ends it with `pg_terminate_backend`. Nothing was stored.
        """, sqlState: SQLState.cancelled)

    static let isClosed = YapDatabaseServerError(.closed, "The database was closed. Open it again to read or write it.")

    /// Closes the connection. Called by the connection whose turn it is to write.
    func close() { (session, isHolding) = (nil, false) }
}
