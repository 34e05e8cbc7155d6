import CPostgreSQL
import Foundation

/// A connection to a server. Every call waits at most until its deadline, and ends at once when the program stops it.
///
/// It is used by one thread at a time. After an error that leaves the server's state unknown it is closed, and every
/// later call throws.
package final class PostgreSQLConnection {
    package let address: ServerAddress
    let wakeUp: WakeUp
    private var isGivenUp: () -> Bool
    /// Asked while it waits for an answer, with how long it has waited; true ends the wait as the deadline does.
    package var givesWay: (_ waited: Duration) -> Bool = { _ in false }
    /// Told once for each wait for an answer that is as long; the wait goes on.
    package var onSilence: (after: Duration, tell: () -> Void)?
    /// Nil once it is closed.
    private(set) var handle: OpaquePointer?
    /// Names of prepared statements by their SQL.
    var statements: [String: String] = [:]
    /// Statements that ran.
    var once: Set<String> = []
    /// Whether there was a nudge while the connection waited for an answer.
    var wasNudged = false

    /// Connects to the first host that answers and may be written.
    ///
    /// Only a name that has to be looked up may take longer than the deadline: libpq waits for the system's resolver.
    /// - Throws: ``PostgreSQLError`` with `refused` if a host answers and does not want the user, otherwise `unreachable`.
    /// - Parameter isGivenUp: asked twenty times a second while it connects; true ends it with a `CancellationError`.
    package init(
        to address: ServerAddress, deadline: ContinuousClock.Instant, wakeUp: WakeUp,
        isGivenUp: @escaping () -> Bool = { false }
    ) throws {
        self.address = address
        self.wakeUp = wakeUp
        self.isGivenUp = isGivenUp
        defer { self.isGivenUp = { false } }
        var failures: [PostgreSQLError] = []
        for host in address.hosts() {
            do {
                try connect(to: host, deadline: min(deadline, .now + address.patience))
                return
            } catch let error as PostgreSQLError {
                close()
                guard error.kind != .stopped else { throw error }
                failures.append(error)
            }
        }
        throw failures.first { $0.kind == .refused } ?? failures[failures.count - 1]
    }

    deinit { close() }

    package var isOpen: Bool { handle.map { PQstatus($0) == CONNECTION_OK } ?? false }

    package func close() {
        if let handle { PQfinish(handle) }
        handle = nil
        (statements, once) = ([:], [])
    }

    /// Asks the server to end the running statement, from a thread of its own, because libpq waits for the answer. Then
    /// closes.
    func abandon() {
        cancel()
        close()
    }

    /// Asks the server to end the running statement.
    func cancel() {
        guard let handle, let cancel = PQgetCancel(handle) else { return }
        let request = CancelRequest(pointer: cancel)
        Thread.detachNewThread { request.send() }
    }

    private func connect(to settings: [String: String], deadline: ContinuousClock.Instant) throws {
        var handle = try begin(settings)
        if address.mustBeProven(handle) {
            close()
            handle = try begin(settings.merging(["sslmode": ServerAddress.provenMode]) { $1 })
        }
        yap_drop_notices(handle)
        // libpq gives no code for a connection that fails, but writes it into such a text.
        PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        var polled = PGRES_POLLING_WRITING
        while polled != PGRES_POLLING_OK {
            switch polled {
            case PGRES_POLLING_READING: try wait(Int16(POLLIN), until: deadline, whileConnecting: true)
            case PGRES_POLLING_WRITING: try wait(Int16(POLLOUT), until: deadline, whileConnecting: true)
            default: throw connectionError(handle)
            }
            polled = PQconnectPoll(handle)
        }
        PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        guard PQsetnonblocking(handle, 1) == 0 else { throw connectionError(handle) }
    }

    private func begin(_ settings: [String: String]) throws -> OpaquePointer {
        guard let begun = ServerAddress.connect(settings) else {
            throw PostgreSQLError(.unreachable, "There is no memory for a connection.")
        }
        handle = begun
        guard PQstatus(begun) != CONNECTION_BAD else { throw connectionError(begun) }
        return begun
    }

    /// Waits for the socket. Throws at the deadline and when the program stops.
    func wait(_ events: Int16, until deadline: ContinuousClock.Instant, whileConnecting: Bool = false) throws {
        let start = ContinuousClock.now
        var silenceEnd = whileConnecting ? nil : onSilence.map { ContinuousClock.now + $0.after }
        while true {
            guard let handle else { throw Self.isClosed }
            var waited = [
                pollfd(fd: PQsocket(handle), events: events, revents: 0),
                pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            // Who gives up has no descriptor that could be waited for, and a server that is silent becomes one that is away without a nudge.
            let look = ContinuousClock.now + (whileConnecting ? .milliseconds(50) : .seconds(1))
            let end = min(deadline, silenceEnd ?? deadline, look)
            let count = poll(&waited, 2, end.milliseconds)
            if whileConnecting, isGivenUp() { throw CancellationError() }
            if wakeUp.isStopped {
                throw PostgreSQLError(.stopped, "The database was closed while it waited for the server.")
            }
            if count > 0, waited[0].revents != 0 { return }
            // A nudge is for waits for notifications; it is kept for the next one.
            if count > 0 {
                wakeUp.clear()
                wasNudged = true
            }
            if !whileConnecting, givesWay(.now - start) {
                throw PostgreSQLError(.timedOut, "The server at \(address) does not answer.")
            }
            if let due = silenceEnd, .now >= due {
                silenceEnd = nil
                onSilence?.tell()
            }
            guard .now < deadline else {
                throw PostgreSQLError(
                    whileConnecting ? .unreachable : .timedOut, "The server at \(address) did not answer in time.")
            }
        }
    }

    static let isClosed = PostgreSQLError(.lost, "The connection to the server is closed.")

    /// The error of a connection that could not be made.
    private func connectionError(_ handle: OpaquePointer) -> PostgreSQLError {
        let failure = ConnectionFailure(
            text: String(cString: PQerrorMessage(handle)), needsPassword: PQconnectionNeedsPassword(handle) == 1)
        let end = failure.text.last?.isPunctuation == true ? "" : "."
        return PostgreSQLError(
            failure.isRefusal ? .refused : .unreachable,
            address.redacted("The server at \(address) cannot be used: \(failure.text)\(end)")
                + (failure.advice.map { " \($0)" } ?? ""),
            sqlState: failure.sqlState)
    }

    func message(of handle: OpaquePointer) -> String {
        let text = String(cString: PQerrorMessage(handle))
        return address.redacted(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }
}

/// A request to cancel, on its way to the thread that sends it.
private struct CancelRequest: @unchecked Sendable {
    // @unchecked: the pointer is used by that thread only.
    let pointer: OpaquePointer

    /// On a thread of its own, which ends with it.
    func send() {
        // libpq sends it without MSG_NOSIGNAL: a server that has closed the connection by then would end the program.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var message = [CChar](repeating: 0, count: 256)
        PQcancel(pointer, &message, Int32(message.count))
        PQfreeCancel(pointer)
    }
}

extension PostgreSQLConnection {
    /// Waits for notifications of the channels that the connection listens to.
    /// - Returns: their texts; none at the time, or after a nudge.
    package func notifications(until time: ContinuousClock.Instant) throws -> [String] {
        let handle = try open()
        while true {
            let texts = receivedNotifications(handle)
            guard texts.isEmpty, .now < time, !wasNudged else {
                wasNudged = false
                return texts
            }
            var waited = [
                pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&waited, 2, time.milliseconds)
            if wakeUp.isStopped {
                throw PostgreSQLError(.stopped, "The database was closed while it waited for the server.")
            }
            if waited[0].revents != 0, PQconsumeInput(handle) != 1 {
                let error = lost()
                close()
                throw error
            }
            if waited[1].revents != 0 {
                wakeUp.clear()
                return receivedNotifications(handle)
            }
        }
    }

    private func receivedNotifications(_ handle: OpaquePointer) -> [String] {
        var texts: [String] = []
        while let notification = PQnotifies(handle) {
            texts.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return texts
    }
}
