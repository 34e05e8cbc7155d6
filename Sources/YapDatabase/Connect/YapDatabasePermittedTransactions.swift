import Foundation
import ListChanges

/// The kinds of calls that a connection permits: a guard against using a connection in the wrong place.
public struct YapDatabasePermittedTransactions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Creates a set from raw bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The sync `read`.
    public static let syncRead = Self(rawValue: 1 << 0)
    /// The sync `readWrite`.
    public static let syncReadWrite = Self(rawValue: 1 << 1)
    /// `asyncRead`, and `read` with `await`.
    public static let asyncRead = Self(rawValue: 1 << 2)
    /// `asyncReadWrite`, and `readWrite` and `write` with `await`.
    public static let asyncReadWrite = Self(rawValue: 1 << 3)
    /// Restricts calls to the main thread.
    public static let mainThreadOnly = Self(rawValue: 1 << 16)

    /// All sync calls.
    public static let allSync: Self = [.syncRead, .syncReadWrite]
    /// All async calls.
    public static let allAsync: Self = [.asyncRead, .asyncReadWrite]
    /// Everything, on any thread.
    public static let all: Self = [.allSync, .allAsync]
}

extension YapDatabaseConnection {
    /// The calls that the connection permits, initially all; any other call stops the program with a message. May be changed
    /// and read from any thread.
    public var permittedTransactions: YapDatabasePermittedTransactions {
        get { YapDatabasePermittedTransactions(rawValue: permitted.load(ordering: .relaxed)) }
        set { permitted.store(newValue.rawValue, ordering: .relaxed) }
    }

    func checkPermission(_ kind: YapDatabasePermittedTransactions) {
        let permitted = permittedTransactions
        guard permitted != .all else { return }
        require(
            permitted.contains(kind),
            "This connection may not be used for such a transaction: see permittedTransactions.")
        require(
            !permitted.contains(.mainThreadOnly) || Thread.isMainThread,
            "This connection may be used from the main thread only: see permittedTransactions.")
    }
}
