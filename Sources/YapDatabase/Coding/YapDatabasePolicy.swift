import Foundation
import ListChanges

/// What a connection passes to other connections' caches when it writes a value. Shared values are kept in stored form,
/// up to 4 MB, for connections that are far behind; beyond that these read the file.
public enum YapDatabasePolicy: Int, Hashable, Sendable {
    /// Passes nothing: others decode the value when they next read it. Correct for every type.
    case containment = 0
    /// Passes the value itself. Correct for values that are immutable once stored: structs, strings, frozen classes.
    case share = 1
    /// Passes a copy of values that implement `NSCopying`, and nothing of others.
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

/// A value that one connection passes to others.
struct SharedValue: @unchecked Sendable {
    // @unchecked: by the object policy, or by passing the value as the custom object, the user promises not to change it any
    // more.
    let value: Any
    /// Bytes of its stored form; 0 if it is not stored.
    let size: Int
}

extension SharedValue {
    init(value: Any) { self.init(value: value, size: 0) }
}

/// The values of a changed row that other connections may put into their caches.
struct CacheUpdate: Sendable {
    var object: SharedValue?
    /// `.some(nil)`: the row has no metadata.
    var metadata: SharedValue??
}

extension [RowKey: CacheUpdate] {
    /// Bytes of the values' stored forms.
    var size: Int {
        values.reduce(0) { $0 + ($1.object?.size ?? 0) + ($1.metadata.flatMap { $0 }?.size ?? 0) }
    }
}
