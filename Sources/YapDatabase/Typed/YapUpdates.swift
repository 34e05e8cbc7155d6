import ListChanges
import Synchronization

/// The states of something in a database: the present state, and another one after each commit that changes it. This is an asynchronous sequence.
/// Each loop over it has its own connection and its own state.
///
/// ```swift
/// for try await update in connection.updates(of: order, .last(50)).atMostEvery(.milliseconds(100)) {
///     print(update.rows.count)
/// }
/// ```
///
/// Commits that happen while the loop's body runs are one update, whose change-set leads from the state that the loop had. Nothing is kept for
/// a loop that is over; cancelling its task ends it.
public struct YapUpdates<Element: Sendable>: AsyncSequence, Sendable {
    private let database: YapDatabase
    private let window: YapWindow?
    private let makeFeed: @Sendable () -> any UpdateFeed<Element>
    private var interval = Duration.zero

    init(
        _ database: YapDatabase, window: YapWindow? = nil,
        _ makeFeed: @escaping @Sendable () -> any UpdateFeed<Element>
    ) {
        (self.database, self.window, self.makeFeed) = (database, window, makeFeed)
    }

    /// The same updates, with at least so much time between two of them.
    ///
    /// Commits that happen meanwhile are one update. The first update after a rest comes at once, and the last state is never later than the
    /// time says.
    ///
    /// ```swift
    /// for try await update in connection.updates(of: order).atMostEvery(.seconds(1)) { print(update.rows.count) }
    /// ```
    public func atMostEvery(_ interval: Duration) -> Self {
        var updates = self
        updates.interval = interval
        return updates
    }

    public func makeAsyncIterator() -> Iterator {
        // Begun here and not with the first update, so that waiting until the database is idle waits for the loop.
        let feed = makeFeed()
        let commits = database.broadcast.stream(ifConcerned: feed.isConcerned).makeAsyncIterator()
        window?.add(commits.queue)
        return Iterator(feed: feed, commits: commits, interval: interval)
    }

    /// Waits for commits, and works out the next update when it is asked for it.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let feed: any UpdateFeed<Element>
        // From before the first update, so that no commit is missed.
        fileprivate var commits: YapDatabaseCommits
        fileprivate let interval: Duration
        private var last: ContinuousClock.Instant?

        fileprivate init(feed: any UpdateFeed<Element>, commits: YapDatabaseCommits, interval: Duration) {
            (self.feed, self.commits, self.interval) = (feed, commits, interval)
        }

        /// Waits for the next update; nil at the end.
        /// - Throws: ``YapDatabaseError`` with code `badExtension` if another program has registered something else under the name of what is
        ///   followed, `badQuery` if no registered index answers a request; `closed`, `corrupt`, `inputOutput` and the like if the file cannot be
        ///   read.
        public mutating func next() async throws -> Element? { try await next(isolation: nil) }

        /// Waits for the next update; nil at the end.
        /// - Throws: as ``next()``: ``YapDatabaseError`` with code `badExtension`, `badQuery`, `closed`, `corrupt` and the like.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            if last == nil {
                last = .now
                if let first = try await feed.update() { return first }
            }
            while true {
                // A cancelled sleep ends at once, and the next line gives nil.
                if interval > .zero, let last { try? await Task.sleep(until: last + interval, clock: .continuous) }
                guard let event = await commits.nextEvent(takesAll: true, isolation: actor) else { return nil }
                if let update = try await feed.update(for: event) {
                    last = .now
                    return update
                }
            }
        }
    }
}

/// Keeps one state in step with a database, for one loop.
protocol UpdateFeed<Element>: Actor {
    associatedtype Element: Sendable

    /// The first state; nil if there is none yet.
    func update() async throws -> Element?
    /// The state after an event; nil if it changes nothing that the loop is told.
    func update(for event: CommitEvent) async throws -> Element?
    /// Tells, while the loop waits with all commits before, whether a commit may change what it is told; nil if each may. A feed whose
    /// connection stays in its snapshot between updates has to follow each commit.
    nonisolated var isConcerned: (@Sendable (Commit) -> Bool)? { get }
}

extension UpdateFeed {
    nonisolated var isConcerned: (@Sendable (Commit) -> Bool)? { nil }
}

/// Which part of a ``YapList`` running loops show, to be changed while they run: for "load older", and windows that are moved.
///
/// ```swift
/// let window = YapWindow(.last(50))
/// Task { for try await update in connection.updates(of: order, window) { print(update.rows.count) } }
/// window.grow(by: 50)     // an update with the change-set that inserts 50 older rows
/// ```
///
/// Can be used from any thread. A flexible range begins again at its pin whenever the window changes.
public final class YapWindow: Sendable {
    private struct State {
        var shown: YapShown
        var loops: [Weak<CommitQueue>] = []
    }

    private let state: Locked<State>

    /// - Parameter shown: what is shown at first.
    public init(_ shown: YapShown) { state = Locked(State(shown: shown)) }

    /// What is shown. Setting it gives each running loop an update, whose change-set leads there: found by comparing the rows, which are read
    /// again.
    ///
    /// ```swift
    /// window.shown = .first(20, groups: ["sci-fi"])
    /// ```
    public var shown: YapShown {
        get { state.withLock(\.shown) }
        set { change { $0 = newValue } }
    }

    /// Shows more rows of each group, at the end to which the window is not pinned: of the last 50 rows, older ones. A negative number shows
    /// fewer, but at least one. Without a range all rows are shown, and nothing happens.
    ///
    /// ```swift
    /// window.grow(by: 50)
    /// ```
    public func grow(by count: Int) {
        change { shown in
            guard let range = shown.range else { return }
            let length = max(1, range.length.addingClamped(count))
            // A fixed range keeps the length that it was made with.
            shown.range =
                range.isFixedRange
                ? .fixed(length: length, offset: range.offset, from: range.pin) : range.with(length: length)
        }
    }

    /// Moves the window away from the end to which it is pinned, or with a negative number towards it.
    ///
    /// ```swift
    /// window.move(by: 20)     // of the last 50 rows, the 20 newest go, and 20 older ones come
    /// ```
    public func move(by count: Int) {
        change { shown in
            guard let range = shown.range else { return }
            shown.range = range.with(offset: range.offset.addingClamped(count))
        }
    }

    private func change(_ body: (inout YapShown) -> Void) {
        let loops = state.withLock { state in
            body(&state.shown)
            state.loops.removeAll { $0.object == nil }
            return state.loops.compactMap(\.object)
        }
        for loop in loops { loop.wake() }
    }

    /// Adds a loop that is woken whenever the window changes.
    fileprivate func add(_ loop: CommitQueue) { state.withLock { $0.loops.append(Weak(loop)) } }
}

extension Int {
    /// The sum, or the nearest number that there is.
    func addingClamped(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }
}

/// Keeps what a closure reads in step with a database, for one loop.
actor ReadFeed<Element: Hashable & Sendable>: UpdateFeed {
    private let database: YapDatabase
    private let isThere: @Sendable (YapDatabaseReadTransaction) throws -> Bool
    private let read: @Sendable (YapDatabaseReadTransaction) throws -> Element
    private var connection: YapDatabaseConnection?
    private var last: Element?

    /// - Parameter isThere: whether the loop can be told something, asked before the first time.
    init(
        _ database: YapDatabase,
        once isThere: @escaping @Sendable (YapDatabaseReadTransaction) throws -> Bool = { _ in true },
        _ read: @escaping @Sendable (YapDatabaseReadTransaction) throws -> Element
    ) {
        (self.database, self.isThere, self.read) = (database, isThere, read)
    }

    func update() throws -> Element? {
        let connection = try self.connection ?? database.newConnection()
        self.connection = connection
        let element = try connection.syncRead { transaction in
            try last == nil && !isThere(transaction) ? nil : read(transaction)
        }
        last = element
        return element
    }

    func update(for event: CommitEvent) throws -> Element? {
        let before = last
        let element = try update()
        return element == before ? nil : element
    }
}
