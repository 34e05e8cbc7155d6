import Foundation

/// What a connection hands to the caches of others when it writes a value.
public enum YapDatabasePolicy: Int, Hashable, Sendable {
    /// Nothing: others decode the value when they next read it. Always right.
    case containment = 0
    /// The value itself. Right for values that nobody changes after they were stored: structs, strings, frozen classes.
    case share = 1
    /// A copy, for classes that implement `NSCopying`; nothing for others.
    case copy = 2
}

extension YapDatabasePolicy {
    func shared(_ value: Any) -> SharedValue? {
        switch self {
        case .containment: nil
        case .share: SharedValue(value: value)
        case .copy: (value as? any NSCopying).map { SharedValue(value: $0.copy(with: nil)) }
        }
    }
}
