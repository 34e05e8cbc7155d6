import Dispatch
import Foundation
import ListChanges

/// An object that wants something to be done at a time: a refresh, an upload, its own deletion.
public protocol YapActionable {
    /// The object's actions; nil for none.
    func yapActionItems() -> [YapActionItem]?
}

/// Something to do for a row, once its date has come.
///
/// The block must change the row so that the item is gone or has another date. Until then it is called again after each
/// ``retryTimeout``.
public struct YapActionItem: Sendable {
    /// Receives collection, key, object and metadata as they are when it is called.
    public typealias Block = @Sendable (String, String, Any, Any?) -> Void

    /// Names the action among those of its row.
    public let identifier: String
    /// When to call the block; long ago if none was given.
    public let date: Date
    /// Seconds after which the block is called again if the row still has the item; 0 for never. Of less than 0.1 it is 0.1 that counts.
    ///
    /// Where the clock is set back, the seconds begin again: no retry is ever further away than this.
    public let retryTimeout: TimeInterval
    /// Whether the block is called only while the network is reachable.
    public let requiresInternet: Bool
    /// Where the block is called; nil for a global queue.
    public let queue: DispatchQueue?
    /// What is called, once the date has come.
    public let block: Block

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - identifier: distinguishes the items of one row.
    ///   - date: when the block is called; nil for at once.
    ///   - retryTimeout: seconds after which the block is called again if the row still has the item, at least 0.1; 0 for never.
    ///   - requiresInternet: whether the block is called only while the network is reachable.
    ///   - queue: where the block is called; nil for a global queue.
    ///   - block: does what is to be done, and then changes the row so that the item is gone or has another date.
    public init(
        identifier: String, date: Date?, retryTimeout: TimeInterval, requiresInternet: Bool,
        queue: DispatchQueue? = nil, block: @escaping Block
    ) {
        self.identifier = identifier
        self.date = date ?? Date(timeIntervalSinceReferenceDate: 0)
        self.retryTimeout = retryTimeout
        self.requiresInternet = requiresInternet
        self.queue = queue
        self.block = block
    }

    /// The shortest time between two calls: without one, a tiny timeout would call the block without a pause.
    private static let leastRetryTimeout: TimeInterval = 0.1

    /// Seconds until the block is called again; nil for never.
    var pause: TimeInterval? { retryTimeout > 0 ? max(retryTimeout, Self.leastRetryTimeout) : nil }

    /// Whether the date has come. Nil for the time of the system.
    public func isReadyToStart(at moment: Date?) -> Bool { date <= moment ?? Date() }

    /// Whether this is the same action: one with another date is a new one.
    public func hasSameIdentifierAndDate(_ another: YapActionItem) -> Bool {
        identifier == another.identifier && date == another.date
    }
}

/// What tells a ``YapDatabaseActionManager`` whether the network can be used. By default it always can.
public protocol YapReachability: Sendable {
    /// Whether the network can be used now.
    var isReachable: Bool { get }
    /// Begins to call the block after each change of ``isReachable``. Called once, when the manager is registered.
    ///
    /// The block may be called on any thread.
    func startNotifier(_ changed: @escaping @Sendable () -> Void)
}

extension YapReachability {
    /// True: the network can always be used.
    public var isReachable: Bool { true }
    public func startNotifier(_ changed: @escaping @Sendable () -> Void) {}
}

/// A network that is always reachable: the default.
public struct YapAlwaysReachable: YapReachability {
    /// Creates a network that is always reachable.
    public init() {}
}

/// The actions of all rows, and which of them are due. A value that knows neither clock nor database.
struct ActionSchedule {
    struct Due {
        let key: RowKey
        let item: YapActionItem
    }

    private struct Entry {
        let item: YapActionItem
        var isStarted = false
        /// When to start again; nil for never.
        var nextRetry: Date?

        /// When to start next; nil for never.
        var next: Date? { isStarted ? nextRetry : item.date }

        /// Brings a retry nearer that is further away than it can be, because the clock was set back.
        mutating func boundRetry(_ now: Date) {
            if let date = nextRetry, let pause = item.pause { nextRetry = min(date, now + pause) }
        }
    }

    private var rows: [RowKey: [Entry]] = [:]
}

extension ActionSchedule {
    var keys: [RowKey] { Array(rows.keys) }

    /// Replaces the actions of a row. One that it had before stays started.
    mutating func set(_ items: [YapActionItem], of key: RowKey) {
        let before = rows[key] ?? []
        let entries = items.map { item in
            var entry = Entry(item: item)
            if let known = before.first(where: { $0.item.hasSameIdentifierAndDate(item) }) {
                (entry.isStarted, entry.nextRetry) = (known.isStarted, known.nextRetry)
            }
            return entry
        }
        rows[key] = entries.isEmpty ? nil : entries
    }

    /// Starts what is due, in the order of the dates. O(all actions).
    /// - Returns: the actions, and when to ask again; nil if only a change of a row or of the network can make one due.
    mutating func start(now: Date, isReachable: Bool) -> (due: [Due], next: Date?) {
        var due: [(date: Date, Due)] = []
        var next: Date?
        for key in rows.keys {
            for index in rows[key]!.indices {
                rows[key]![index].boundRetry(now)
                let entry = rows[key]![index]
                guard var date = entry.next else { continue }
                if date <= now {
                    guard isReachable || !entry.item.requiresInternet else { continue }
                    due.append((date, Due(key: key, item: entry.item)))
                    rows[key]![index].isStarted = true
                    let retry = entry.item.pause.map { now + $0 }
                    rows[key]![index].nextRetry = retry
                    guard let retry else { continue }
                    date = retry
                }
                next = min(next ?? date, date)
            }
        }
        due.sort { ($0.date, $0.1.item.identifier) < ($1.date, $1.1.item.identifier) }
        return (due.map(\.1), next)
    }

    /// Takes back that actions were started which were not called.
    mutating func undoStart(_ actions: some Sequence<Due>) {
        for action in actions {
            let entries = rows[action.key] ?? []
            guard let index = entries.firstIndex(where: { $0.item.hasSameIdentifierAndDate(action.item) }) else {
                continue
            }
            rows[action.key]![index].isStarted = false
            rows[action.key]![index].nextRetry = nil
        }
    }
}
