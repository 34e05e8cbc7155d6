import Foundation
import ListChanges

/// Which kinds of transactions a connection may be asked for: a guard against using one connection in the wrong place.
public struct YapDatabasePermittedTransactions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Makes a set of bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// `read` that waits.
    public static let syncRead = Self(rawValue: 1 << 0)
    /// `readWrite` that waits.
    public static let syncReadWrite = Self(rawValue: 1 << 1)
    /// `asyncRead`, and `read` with `await`.
    public static let asyncRead = Self(rawValue: 1 << 2)
    /// `asyncReadWrite`, and `readWrite` and `write` with `await`.
    public static let asyncReadWrite = Self(rawValue: 1 << 3)
    /// Only calls from the main thread.
    public static let mainThreadOnly = Self(rawValue: 1 << 16)

    /// Whatever waits.
    public static let allSync: Self = [.syncRead, .syncReadWrite]
    /// Whatever does not wait.
    public static let allAsync: Self = [.asyncRead, .asyncReadWrite]
    /// Everything, on any thread.
    public static let all: Self = [.allSync, .allAsync]
}

extension YapDatabaseConnection {
    /// What the connection may be asked for; anything else stops the program with a message. Everything at first. May be
    /// changed and read from any thread.
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
