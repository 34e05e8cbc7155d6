/// A value that one connection hands to others.
struct SharedValue: @unchecked Sendable {
    // @unchecked: the value comes from the user, who promises by the object policy, or by handing it over as the custom
    // object, that nobody changes it any more.
    let value: Any
}

/// The values of a changed row that other connections may put into their caches.
struct SharedRow: Sendable {
    var object: SharedValue?
    /// `.some(nil)`: the row has no metadata.
    var metadata: SharedValue??
}
