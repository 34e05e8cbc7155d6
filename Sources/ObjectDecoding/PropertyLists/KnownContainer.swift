/// What is remembered of every object of a table, most of which are no containers: little.
struct ContainerState {
    /// One more than the container's depth, while it is being decoded; otherwise 0.
    var openLevel: Int32 = 0
    /// Its place among the known ones; -1 as long as it is none of them.
    var known: Int32 = -1
}

/// A list, dictionary or object that was decoded, and may stand at several places.
struct KnownContainer {
    /// Those with fewer values inside need no path: they are repeated even where the limits are reached.
    private static let alwaysRepeated = 16

    let value: DecodedValue
    /// How many values and how much text are inside.
    let values: Int
    let text: Int
    /// How deep values nest inside, itself included.
    let height: Int
    /// Where it was first.
    let path: ValuePath?

    /// - Parameters:
    ///   - before: the budget before it was decoded.
    ///   - trail: the way to it.
    init(value: DecodedValue, height: Int, before: Budget, after: Budget, trail: Trail) {
        self.value = value
        self.height = height
        values = before.values - after.values
        text = before.text - after.text
        path = values > Self.alwaysRepeated ? trail.path : nil
    }
}
