import Foundation

/// Which kinds of transactions a connection may be asked for: a guard against using one connection in the wrong place.
public struct YapDatabasePermittedTransactions: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let syncRead = Self(rawValue: 1 << 0)
    public static let syncReadWrite = Self(rawValue: 1 << 1)
    public static let asyncRead = Self(rawValue: 1 << 2)
    public static let asyncReadWrite = Self(rawValue: 1 << 3)
    /// Only calls from the main thread.
    public static let mainThreadOnly = Self(rawValue: 1 << 16)

    public static let allSync: Self = [.syncRead, .syncReadWrite]
    public static let allAsync: Self = [.asyncRead, .asyncReadWrite]
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
        precondition(
            permitted.contains(kind),
            "This connection may not be used for such a transaction: see permittedTransactions.")
        precondition(
            !permitted.contains(.mainThreadOnly) || Thread.isMainThread,
            "This connection may be used from the main thread only: see permittedTransactions.")
    }
}
