/// What a caller said about one group, in index space.
struct GroupSetup: Hashable, Sendable {
    var isDynamic = false
    var isReversed = false
    /// The range as it was asked for.
    var requestedRange: RangeOptions?
    /// The range as it is now: cut to the rows there are, moved along with them.
    var range: RangeOptions?
    /// The neighbours that a cell looks at, as distances; never 0.
    var dependencies: Set<Int> = []
}
