import ListChanges

/// A value that one connection hands to others.
struct SharedValue: @unchecked Sendable {
    // @unchecked: the value comes from the user, who promises by the object policy, or by handing it over as the custom
    // object, that nobody changes it any more.
    let value: Any
    /// Bytes that it takes as it is stored, 0 where it is not.
    let size: Int
}

extension SharedValue {
    init(value: Any) { self.init(value: value, size: 0) }
}

/// The values of a changed row that other connections may put into their caches.
struct SharedRow: Sendable {
    var object: SharedValue?
    /// `.some(nil)`: the row has no metadata.
    var metadata: SharedValue??
}

extension [RowKey: SharedRow] {
    /// Bytes that the values take as they are stored.
    var size: Int {
        values.reduce(0) { $0 + ($1.object?.size ?? 0) + ($1.metadata.flatMap { $0 }?.size ?? 0) }
    }
}
