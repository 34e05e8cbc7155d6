import Foundation

/// A property that groups a ``YapList``.
public protocol YapGroup: Sendable {
    /// The name of the group; nil for a value that is not in the list.
    var groupName: String? { get }
}

extension String: YapGroup {
    public var groupName: String? { self }
}

extension Bool: YapGroup {
    public var groupName: String? { self ? "true" : "false" }
}

extension Int: YapGroup {
    public var groupName: String? { String(self) }
}

extension UUID: YapGroup {
    public var groupName: String? { uuidString }
}

extension Optional: YapGroup where Wrapped: YapGroup {
    public var groupName: String? { flatMap(\.groupName) }
}

extension YapGroup where Self: RawRepresentable, RawValue: YapGroup {
    public var groupName: String? { rawValue.groupName }
}
