/// The decoding state of an object of a table. Small, because most objects are no containers.
struct ContainerState {
    /// The container's depth plus one while it is being decoded; otherwise 0.
    var openLevel: Int32 = 0
    /// Its index among the known containers; -1 if it is not one of them.
    var known: Int32 = -1
}

/// A decoded list, dictionary or object, which may appear at several places.
struct KnownContainer {
    /// A container with fewer values needs no path: it is repeated even when the limits are reached.
    private static let alwaysRepeated = 16

    let value: DecodedValue
    /// The number of values, and the size of text, inside.
    let values: Int
    let text: Int
    /// The number of levels inside, including itself.
    let height: Int
    /// The path of its first place.
    let path: ValuePath?

    /// - Parameters:
    ///   - before: the budget before it was decoded.
    ///   - trail: the path to it.
    init(value: DecodedValue, height: Int, before: Budget, after: Budget, trail: Trail) {
        self.value = value
        self.height = height
        values = before.values - after.values
        text = before.text - after.text
        path = values > Self.alwaysRepeated ? trail.path : nil
    }
}
