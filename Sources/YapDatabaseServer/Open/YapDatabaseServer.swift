import Dispatch
import FileEngine
import Foundation
import PostgreSQLBridge
import Synchronization

/// The space on a server that a database follows: `YapDatabase.server`.
///
/// All reads are local. A write transaction is confirmed by the server before it is committed to the file, and may run
/// more than once: when another host was faster, and when the connection had to be made first.
public final class YapDatabaseServer: Sendable {
    /// The options with which the database was opened.
    public let options: YapDatabaseServerOptions
    let address: ServerAddress
    let locks: HostLocks
    let board = StateBoard()
    let serverTime = ServerTime()
    let pusher: Pusher
    /// Sends mutations, in the thread that follows.
    let sender: Pusher
    /// Why mutations wait although the server is reached.
    let waiting = Locked<String?>(nil)
    /// The mutation that the server did not store in time, and how long it gets next.
    let slowMutation = Locked<(id: UUID, time: Duration)?>(nil)
    let followerWakeUp = WakeUp()
    /// The last commit of the space that this process knows the file to have.
    let known = Atomic(0)
    let polls = Atomic(false)
    /// Whether there may be mutations to send. A nudge alone could be lost while the server is asked something.
    let hasNewMutations = Atomic(false)
    /// Mutations that wait for the writers' turn.
    let waitingMutations = Locked(0)
    /// Whether the file has had a position since it was opened. Set by a commit that stored one: one that failed is none.
    let hasFollowed = Atomic(false)
    /// Why the file does not follow the space, if it would lose rows by it.
    let refusal = Locked<Refusal?>(nil)
    let unusable = Locked(UnusableRows())
    let path: String
    private let following = Locked<Follower?>(nil)

    init(_ options: YapDatabaseServerOptions, path: String) throws {
        self.options = options
        self.path = path
        address = try translating { try ServerAddress(options.address) }
        locks = try HostLocks(path: path)
        pusher = Pusher(address, space: options.space, serverTime)
        sender = Pusher(address, space: options.space, serverTime, isPatient: false)
        pusher.mustGiveWay = { [weak self] isSilent in self?.mustGiveWay(isSilent: isSilent) ?? false }
    }

    /// Begins to follow. The thread holds the database weakly.
    func start(for database: YapDatabase) {
        let follower = Follower(self, database)
        following.withLock { $0 = follower }
        follower.start()
    }

    func stop(isWaiting: Bool) {
        pusher.wakeUp.stop()
        sender.wakeUp.stop()
        followerWakeUp.stop()
        let follower = following.withLock { following in
            defer { following = nil }
            return following
        }
        if isWaiting { follower?.waitForEnd() }
        board.end()
    }
}

extension YapDatabaseServer {
    /// How the file stands to the space now.
    public var state: YapDatabaseServerState { board.state }

    /// The present state and every later one, until the database is closed. A slow reader gets the newest.
    public var states: AsyncStream<YapDatabaseServerState> { board.states() }

    /// The last commit of the space that the file is known to have; 0 for none.
    public var number: Int { known.load(ordering: .acquiring) }

    /// The server's time, which all hosts share whatever their own clocks say; nil before this process has reached the server. It goes
    /// on while the server is away.
    public var time: Date? { serverTime.now }

    /// Whether the server sends no notifications, so that it is asked for commits every
    /// ``YapDatabaseServerOptions/pollInterval``.
    public var isPolling: Bool { polls.load(ordering: .acquiring) }

    /// Rows of the space that this process met and no file can take, at most 20: they stay out of the file, and everything else is
    /// followed. `yap server rows` shows all of them, and removes them.
    public var unusableRows: [YapDatabaseServerUnusableRow] { unusable.withLock { $0.examples } }

    /// Why mutations wait although the server is reached: this program does not know one of them, the server does not know mutations, or
    /// the role may not write. Nil while they are being sent, and where none waits. Of the process that follows.
    public var reasonOfWaiting: String? { waiting.withLock { $0 } }

    /// User, hosts and database of the server; never a password.
    public var addressDescription: String { address.description }

    /// Asks for commits now, instead of at the next notification or attempt.
    public func refresh() { followerWakeUp.nudge() }
}

extension YapDatabaseServer {
    /// Bytes of the changes of one transaction: the server holds all of them in memory, and each host receives them at
    /// once.
    public static let transactionLimit = ServerLimits.transaction
    /// Bytes of a key, and of a collection: the server has both in an index.
    public static let nameLimit = ServerLimits.name
    /// Hosts that follow a space and were measured.
    public static let hostLimit = 100
}
