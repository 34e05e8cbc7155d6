/// The settings of one group, with positions as indexes of the group.
struct GroupSetup: Hashable, Sendable {
    var isDynamic = false
    var isReversed = false
    /// The range as requested.
    var requestedRange: RangeOptions?
    /// The present range: cut to the existing rows, moved along with them.
    var range: RangeOptions?
    /// The offsets of the neighbours that a cell depends on; never 0.
    var dependencies: Set<Int> = []
}
