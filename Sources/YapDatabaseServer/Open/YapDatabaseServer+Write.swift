import FileEngine
import Foundation
import PostgreSQLBridge

/// Why a write transaction was rolled back and runs again.
private enum PushRetry: Error {
    /// There is no connection. It is made while no lock of the file is held.
    case disconnected
    /// The file has to be brought up to date first.
    case behind(SpacePosition?, YapDatabaseServerComparison?)
    /// Mutations are pending. They are sent first, because a transaction that the server confirms cannot build on them.
    case mutationsFirst
    /// The server has accepted the changes after commits that the file does not have: the closure's result stands.
    case acceptedLater(Int, SpacePosition?)
}

extension YapDatabaseServer: WriteAuthority {
    package func write<Value>(
        on connection: YapDatabaseConnection, _ body: (YapDatabaseReadWriteTransaction) throws -> Value
    ) throws -> Value {
        var deadline = ContinuousClock.now + options.timeout
        let patience = try connection.lockWait
        try takeTurn(until: deadline, patience)
        defer {
            pusher.letGo()
            locks.release(.writing)
        }
        var refusals = 0
        /// The longest time that the closure took.
        var longest = Duration.zero
        for _ in 0..<ServerLimits.attemptLimit {
            let attempt = WriteAttempt<Value>()
            // No earlier attempt is stored anywhere, so the caller may still cancel.
            patience.allowEndAgain()
            if patience.wasEnded { throw CancellationError() }
            do {
                defer { longest = max(longest, attempt.time) }
                return try runOnce(on: connection, attempt, until: &deadline, body)
            } catch PushRetry.disconnected {
                locks.release(.writing)
                patience.allowEndAgain()
                do { _ = try pusher.connect(until: deadline, isGivenUp: { patience.wasEnded }) } catch {
                    throw reported(error)
                }
                try takeTurn(until: deadline, patience)
            } catch PushRetry.behind(let position, let comparison) {
                // What takes long is overtaken again.
                refusals += longest > ServerLimits.longTransaction ? ServerLimits.refusalsBeforeHold : 1
                do {
                    try retrying(until: deadline) {
                        let session =
                            refusals >= ServerLimits.refusalsBeforeHold
                            ? try pusher.hold(until: deadline, idle: ServerLimits.holdTime(transaction: longest))
                            : try pusher.connect(until: deadline)
                        try catchUp(on: connection, session, since: position, comparison, until: deadline)
                    }
                } catch { throw reported(error) }
            } catch PushRetry.mutationsFirst {
                do { try sendFirst(connection, until: deadline) } catch { throw reported(error) }
            } catch PushRetry.acceptedLater(let number, let position) {
                try bring(connection, through: number, since: position, until: deadline)
                attempt.transactionCompletions?()
                if let value = attempt.value { return value }
            }
        }
        let longestHold = ServerLimits.longestHoldTime
        throw YapDatabaseServerError(
            .overtaken,
            "The transaction ran \(ServerLimits.attemptLimit) times, and each time the file or the space had changed."
                + (longest < longestHold
                    ? ""
                    : " It takes \(Int(longest / .seconds(1))) s, and other writers are kept out for \(Int(longestHold / .seconds(1))) s at most: "
                        + "do what takes long before it."))
    }

    package func databaseCloses(isWaiting: Bool) { stop(isWaiting: isWaiting) }

    package func waitUntilIdle() async {
        for await state in states {
            switch state {
            case .connecting, .catchingUp: continue
            case .live, .offline, .refused: return
            }
        }
    }

    /// - Parameter deadline: until when to wait for the server. The time that the closure takes is not part of it.
    private func runOnce<Value>(
        on connection: YapDatabaseConnection, _ attempt: WriteAttempt<Value>,
        until deadline: inout ContinuousClock.Instant, _ body: (YapDatabaseReadWriteTransaction) throws -> Value
    ) throws -> Value {
        let end = deadline
        defer { deadline = end + attempt.time }
        do {
            return try connection.writeHere { transaction in
                let start = ContinuousClock.now
                defer { attempt.time = .now - start }
                let value = try body(transaction)
                attempt.value = value
                return value
            } confirming: { transaction in
                try self.confirm(transaction, attempt, until: end + attempt.time)
            }
        } catch let error as YapDatabaseError where attempt.isAccepted {
            throw YapDatabaseServerError(
                .storedOnServerOnly,
                "The server has stored the transaction, but the file could not: \(error.message) The rows arrive again when the "
                    + "file can be written.", underlying: error)
        }
    }

    /// Called when everything is written in the file's transaction, before its commit.
    private func confirm<Value>(
        _ transaction: YapDatabaseReadWriteTransaction, _ attempt: WriteAttempt<Value>,
        until deadline: ContinuousClock.Instant
    ) throws {
        let position = try transaction.position()
        let outgoing = try Outgoing(transaction, options.collections)
        guard !outgoing.isEmpty else {
            guard let position, position.local == transaction.numberBefore else { return }
            return try setPosition(position.number, position.commit, after: position, in: transaction)
        }
        guard pusher.isConnected else { throw PushRetry.disconnected }
        if try transaction.hasPendingMutations() { throw PushRetry.mutationsFirst }
        if let reason = comparison(of: position, local: transaction.numberBefore) {
            throw PushRetry.behind(position, reason)
        }
        guard let position else { throw PushRetry.behind(nil, .firstContact) }
        let id = UUID.random()
        let mode = transaction.serverMode ?? options.mode
        switch try pusher.push(outgoing, base: position, id: id, mode: mode, until: deadline) {
        case .accepted(let number) where number == position.number + 1:
            attempt.isAccepted = true
            noteKnown(number, in: transaction)
            try setPosition(number, id, after: position, in: transaction)
        case .accepted(let number):
            attempt.transactionCompletions = transaction.callCompletions
            throw PushRetry.acceptedLater(number, position)
        case .overtaken: throw PushRetry.behind(position, nil)
        case .unknownBase: throw PushRetry.behind(position, nil)
        }
    }

    /// Fetches and writes the commits that the file lacks, between two attempts.
    /// - Returns: the number of the commit that the file has now; nil if another process of the host has written meanwhile. The next attempt then
    ///   begins at the state which that process has written.
    @discardableResult
    private func catchUp(
        on connection: YapDatabaseConnection, _ session: ServerSession, since position: SpacePosition?,
        _ comparison: YapDatabaseServerComparison?, until deadline: ContinuousClock.Instant
    ) throws -> Int? {
        try translating {
            try throwIfStillRefused(position, over: session)
            let fetched = try Fetch(
                space: session.space, collections: options.collections, file: path, deadline: deadline
            ).run(since: position, comparison: comparison, over: session.connection)
            let isStored = try merge(fetched, since: position, over: session, on: connection.database) {
                try connection.writeHere($0)
            }
            guard isStored else { return nil }
            known.store(fetched.number, ordering: .releasing)
            return fetched.number
        }
    }

    /// Sends the pending mutations before a transaction that the server confirms.
    private func sendFirst(_ connection: YapDatabaseConnection, until deadline: ContinuousClock.Instant) throws {
        var reason: String?
        try retrying(until: deadline) {
            var sender = MutationSender(
                self, by: pusher, on: connection.database, until: { _ in deadline }, fetchingUntil: deadline
            ) {
                try connection.writeHere($0)
            }
            reason = try sender.run()
        }
        if let reason {
            throw YapDatabaseServerError(
                .mutationsWait,
                "Mutations of this file wait and have to reach the server first. \(reason) Nothing was stored.")
        }
    }

    /// Brings the file at least to the commit with a number.
    private func catchUp(
        on connection: YapDatabaseConnection, through number: Int, since position: SpacePosition?,
        until deadline: ContinuousClock.Instant
    ) throws {
        var position = position
        while position.map({ $0.reached < number }) ?? true {
            // A server that was put back meanwhile may never reach the number.
            guard .now < deadline, !pusher.wakeUp.isStopped else {
                throw YapDatabaseServerError(
                    .serverUnreachable, "The server does not have commit \(number) any more, which it had accepted.")
            }
            let session = try pusher.connect(until: deadline)
            let reached = try catchUp(on: connection, session, since: position, nil, until: deadline)
            if let reached, reached >= number { return }
            position = try connection.writeHere { try $0.position() }
        }
    }

    /// Brings the file to a commit that the server has accepted.
    private func bring(
        _ connection: YapDatabaseConnection, through number: Int, since position: SpacePosition?,
        until deadline: ContinuousClock.Instant
    ) throws {
        do {
            try retrying(until: deadline) {
                try catchUp(on: connection, through: number, since: position, until: deadline)
            }
        } catch {
            throw YapDatabaseServerError(
                .storedOnServerOnly,
                "The server has stored the transaction, but the file could not be brought up to date. The rows arrive when the "
                    + "server is reached again.", underlying: error)
        }
    }

    /// Runs the body, and runs it again when the connection ends, until the deadline. For requests that may be sent twice.
    private func retrying(until deadline: ContinuousClock.Instant, _ body: () throws -> Void) throws {
        while true {
            do { return try body() } catch let error as YapDatabaseServerError
                where error.code == .serverUnreachable && ContinuousClock.now < deadline && !pusher.wakeUp.isStopped
                && !mustGiveWay(isSilent: false)
            {
                pusher.close()
                pusher.wakeUp.wait(until: .now + .milliseconds(20))
            }
        }
    }

    /// Waits for writers of other processes of the host.
    private func takeTurn(until deadline: ContinuousClock.Instant, _ patience: LockWait) throws {
        var pause = Duration.microseconds(200)
        while !locks.take(.writing) {
            if patience.wasEnded { throw CancellationError() }
            guard .now < deadline else {
                throw YapDatabaseError(
                    .locked, "Another process of this machine waits for the server with the same file. Try again.")
            }
            pusher.wakeUp.wait(until: .now + pause)
            if pusher.wakeUp.isStopped { throw Pusher.isClosed }
            pause = min(pause * 2, .milliseconds(5))
        }
    }

    /// Returns an error of a connection, with the addition that nothing was stored.
    private func reported(_ error: any Error) -> any Error {
        guard let error = error as? YapDatabaseServerError, error.code == .serverUnreachable else { return error }
        return error.withNothingStored
    }
}

/// What an attempt leaves behind when its transaction is rolled back.
private final class WriteAttempt<Value> {
    var value: Value?
    /// How long the closure took.
    var time = Duration.zero
    /// Whether the server has the transaction.
    var isAccepted = false
    var transactionCompletions: (() -> Void)?
}
