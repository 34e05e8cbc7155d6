import Dispatch
import Foundation

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
    /// Seconds after which the block is called again if the row still has the item; 0 for never.
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
    ///   - retryTimeout: seconds after which the block is called again if the row still has the item; 0 for never.
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

    /// Whether the date has come. Nil for now.
    public func isReadyToStart(at moment: Date?) -> Bool { date <= moment ?? Date() }

    /// Whether this is the same action: one with another date is a new one.
    public func hasSameIdentifierAndDate(_ another: YapActionItem) -> Bool {
        identifier == another.identifier && date == another.date
    }
}
