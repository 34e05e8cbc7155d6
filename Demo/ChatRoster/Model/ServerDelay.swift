/// Why a chat's file is not up to date with its server.
public struct ServerDelay: Hashable, Sendable {
    /// In a few words.
    public var reason: String
    /// Whether a write may work all the same, in a moment.
    public var mayWrite: Bool

    /// - Parameters:
    ///   - reason: in a few words.
    ///   - mayWrite: whether a write may work all the same.
    public init(_ reason: String, mayWrite: Bool) { (self.reason, self.mayWrite) = (reason, mayWrite) }
}
