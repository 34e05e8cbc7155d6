import ListChanges

/// Which rows of each group, and from which end.
///
/// On the screen and in lines alike: of the list as it is sorted, the rows that a filter lets through; of these, the range;
/// and the range from its end to its beginning where it is reversed.
package struct RowSelection: Hashable, Sendable {
    package enum Range: Hashable, Sendable {
        case all
        case first(Int)
        case last(Int)
    }

    package var range: Range
    /// Whether the rows of the range come from the last to the first.
    package var isReversed: Bool

    package init(_ range: Range = .all, isReversed: Bool = false) {
        self.range = range
        self.isReversed = isReversed
    }

    /// Sets mappings up so. A range at the end takes in what is appended, and never grows.
    package func apply(to mappings: inout Mappings, groups: [String]) {
        for group in groups {
            // Mappings take the range of a reversed group in the order of the screen; this one is in that of the list.
            mappings.setIsReversed(false, forGroup: group)
            mappings.setRangeOptions(options, forGroup: group)
            mappings.setIsReversed(isReversed, forGroup: group)
        }
    }

    private var options: RangeOptions? {
        switch range {
        case .all: nil
        case .first(let count): .fixed(length: count, offset: 0, from: .beginning)
        case .last(let count): .fixed(length: count, offset: 0, from: .end)
        }
    }
}
