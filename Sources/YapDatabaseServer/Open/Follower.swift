import Dispatch
import FileEngine
import Foundation
import PostgreSQLBridge

/// The thread that keeps a file up to date. Only one process of each host follows; the threads of the others wait to take over.
final class Follower: Sendable {
    private let server: YapDatabaseServer
    private let database: Weak<YapDatabase>
    private let ended = DispatchGroup()

    init(_ server: YapDatabaseServer, _ database: YapDatabase) {
        self.server = server
        self.database = Weak(database)
    }

    func start() {
        ended.enter()
        let thread = Thread { [self] in
            run()
            ended.leave()
        }
        thread.name = "yap server"
        thread.stackSize = 4 << 20
        thread.start()
    }

    /// Waits for the thread. It ends soon after its ``WakeUp`` was stopped.
    func waitForEnd() { ended.wait() }

    private var wakeUp: WakeUp { server.followerWakeUp }

    private func run() {
        let outage = Outage()
        while !wakeUp.isStopped {
            guard server.locks.take(.following) else {
                // Another process of the host follows, and publishes its state.
                if let state = server.locks.line.flatMap(YapDatabaseServerState.init(line:)) { server.note(state) }
                if let number = try? present().0?.number { server.known.store(number, ordering: .releasing) }
                wakeUp.wait(until: .now + ServerLimits.lookInterval)
                continue
            }
            do {
                try follow(outage)
            } catch {
                guard !wakeUp.isStopped else { break }
                let since = outage.begin()
                if isRefusal(error) {
                    set(.refused(reason: reason(error)))
                    wakeUp.wait(until: .now + ServerLimits.refusalPause)
                } else {
                    let pause = outage.nextPause()
                    set(.offline(since: since, nextTry: Date() + pause / .seconds(1), reason: reason(error)))
                    wakeUp.wait(until: .now + pause)
                }
            }
        }
        server.locks.release(.following)
    }

    /// Connects and keeps the file up to date, until there is an error.
    private func follow(_ outage: Outage) throws {
        let session = try ServerSession(
            server.address, space: server.options.space, deadline: .now + .seconds(10), wakeUp: wakeUp)
        server.serverTime.note(session.time)
        session.connection.onSilence = (
            ServerLimits.answerPatience,
            { [self] in
                let reason = "The server at \(server.address) holds the connection and does not answer."
                let since = Date() - ServerLimits.answerPatience / .seconds(1)
                set(.offline(since: outage.begin(since), nextTry: nil, reason: reason))
            }
        )
        try session.listen()
        server.polls.store(!session.isListening, ordering: .releasing)
        var reported = ContinuousClock.now - ServerLimits.seenInterval
        while true {
            let before = server.number
            try catchUp(session)
            let number = server.number
            // While there are many commits, the follower pauses after each round. A writer of this file brings it up to date itself.
            let isBusy = before < number && before + 1 < number
            outage.end()
            set(.live)
            try sendMutations()
            if .now - reported >= ServerLimits.seenInterval {
                reported = .now
                try reportPosition(over: session)
            }
            if isBusy { wakeUp.wait(until: .now + ServerLimits.busyPause) }
            try waitForCommit(session, outage)
        }
    }

    /// Sends pending mutations, and notes why one of them waits. Following goes on in any case, also where the server takes no second connection or
    /// no change.
    private func sendMutations() throws {
        try withDatabase { database in
            var rest: String?
            do {
                var sender = MutationSender(
                    server, by: server.sender, on: database, until: { [server] in .now + server.sendTime(rows: $0) },
                    fetchingUntil: nil
                ) {
                    try database.newConnection().writePastAuthority($0)
                }
                rest = try sender.run()
            } catch let error as YapDatabaseServerError where error.sqlState.map(SQLState.notNow.contains) == true {
                rest = error.message
            }
            server.waiting.withLock { $0 = rest }
        }
    }

    /// Returns when there may be a commit that the file does not have, or a mutation to send.
    private func waitForCommit(_ session: ServerSession, _ outage: Outage) throws {
        let time =
            ContinuousClock.now + (session.isListening ? ServerLimits.askInterval : server.options.pollInterval)
        while .now < time {
            if server.hasNewMutations.exchange(false, ordering: .acquiringAndReleasing) { return }
            let probeTime = ContinuousClock.now + ServerLimits.probeInterval
            let texts = try session.connection.notifications(until: min(time, probeTime))
            if texts.isEmpty, probeTime < time, .now >= probeTime {
                try session.probe()
                outage.end()
                set(.live)
                continue
            }
            // After a nudge it looks at once: it must not wait for a writer that waits for a server which is away.
            guard !texts.isEmpty else { return }
            let numbers = texts.compactMap { Int($0) }
            func mayBeNews() -> Bool { numbers.isEmpty || numbers.contains { $0 > server.number } }
            // Without news the thread must not wait for the writer below: that one may wait for a server which is unreachable, and only this thread
            // would notice that.
            guard mayBeNews() else { continue }
            // The server announces a commit of this host before the file has it, so wait for a running writer.
            if let database = database.object { database.holdingWriters {} }
            if mayBeNews() { return }
        }
    }

    private func catchUp(_ session: ServerSession) throws {
        while true {
            let (position, comparison) = try present()
            server.known.store(position?.reached ?? 0, ordering: .releasing)
            var shown = false
            let fetch = Fetch(space: session.space, collections: server.options.collections, file: server.path) {
                [self] rows, total in
                shown = true
                set(.catchingUp(rows: rows, total: total))
            }
            try server.throwIfStillRefused(position, over: session)
            let fetched = try fetch.run(since: position, comparison: comparison, over: session.connection)
            if let position, fetched.base != nil, fetched.number == position.number, fetched.rows.count == 0,
                fetched.head.identity == position.identity
            {
                return
            }
            if shown { set(.catchingUp(rows: fetched.rows.count, total: fetched.rows.count)) }
            var isStored = false
            try withDatabase { database in
                isStored = try server.merge(fetched, since: position, over: session, on: database) {
                    try database.newConnection().writePastAuthority($0)
                }
            }
            guard isStored else { continue }
            server.known.store(fetched.number, ordering: .releasing)
            return
        }
    }

    /// Returns the position of the file, and why the commits since then would not be enough to bring it up to date.
    private func present() throws -> (SpacePosition?, YapDatabaseServerComparison?) {
        var found: (SpacePosition?, YapDatabaseServerComparison?) = (nil, nil)
        try withDatabase { database in
            let connection = try database.newConnection()
            found = try connection.read { transaction in
                let position = try transaction.position()
                return (position, server.comparison(of: position, local: connection.snapshot))
            }
        }
        return found
    }

    /// Holds the database only while the body runs, because a program may release it without closing it.
    private func withDatabase(_ body: (YapDatabase) throws -> Void) throws {
        guard let database = database.object else { throw Pusher.isClosed }
        try database.borrowed { try body(database) }
    }

    /// Tells the server which commit the file has.
    private func reportPosition(over session: ServerSession) throws {
        guard let position = try present().0 else { return }
        do {
            try session.connection.query(
                SpaceSQL.seen, [.int(Int64(session.space)), .uuid(position.file), .int(Int64(position.reached))],
                limits: AnswerLimits(deadline: .now + .seconds(5), rows: 1))
        } catch let error as PostgreSQLError where error.kind == .failed && !error.isPassing {
            // It is for `yap server status` only. Where this role may not tell, or the table is full, the file follows all the same.
        }
    }

    private func set(_ state: YapDatabaseServerState) {
        if server.note(state) { server.locks.setLine(state.line) }
    }

    private func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case let error as PostgreSQLError: !error.isPassing && error.kind != .stopped
        case let error as YapDatabaseServerError: error.code != .serverUnreachable && error.code != .closed
        default: false
        }
    }

    private func reason(_ error: any Error) -> String {
        switch error {
        case let error as PostgreSQLError: "\(YapDatabaseServerError(error))"
        case let error as YapDatabaseServerError: "\(error)"
        default: "the file cannot be brought up to date: \(error)"
        }
    }
}

/// Since when the server has been unreachable, and how long to wait before the next try. Used on the follower's thread only.
private final class Outage {
    private static let firstPause = Duration.milliseconds(100)
    private var since: Date?
    private var pause = firstPause

    /// Notes that the server is unreachable.
    /// - Returns: since when it has been unreachable.
    func begin(_ time: Date = Date()) -> Date {
        let since = since ?? time
        self.since = since
        return since
    }

    func end() { (since, pause) = (nil, Self.firstPause) }

    /// Returns the pause before the next try. It grows with each try, and is random, so that not all hosts try at the same moment.
    func nextPause() -> Duration {
        defer { pause = min(pause * 2, ServerLimits.longestPause) }
        return pause * Double.random(in: 0.8...1.2)
    }
}
