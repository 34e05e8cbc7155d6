import Foundation

/// What a connection hands to the caches of others when it writes a value anew. For those that are far behind, what is shared
/// is kept up to 4 MB as it is stored; the rest they read from the file.
public enum YapDatabasePolicy: Int, Hashable, Sendable {
    /// Nothing: others decode the value when they next read it. Always right.
    case containment = 0
    /// The value itself. Right for values that nobody changes after they were stored: structs, strings, frozen classes.
    case share = 1
    /// A copy, for classes that implement `NSCopying`; nothing for others.
    case copy = 2
}

extension YapDatabasePolicy {
    func shared(_ encoded: EncodedValue) -> SharedValue? {
        let size = encoded.bytes.count
        return switch self {
        case .containment: nil
        case .share: SharedValue(value: encoded.value, size: size)
        case .copy:
            (encoded.value as? any NSCopying).map { SharedValue(value: $0.copy(with: nil), size: size) }
        }
    }
}
