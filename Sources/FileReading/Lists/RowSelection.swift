import ListChanges

/// Which rows of each group are selected, and in which direction.
///
/// The screen and line output share the order of steps: the sorted list, then the rows that pass the filter, then the
/// range, then reversal of the range.
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

    /// Configures mappings accordingly. A range at the end includes appended rows and keeps its length.
    package func apply(to mappings: inout Mappings, groups: [String]) {
        for group in groups {
            // Mappings apply the range of a reversed group in the order of the screen; this range is in the list's
            // order.
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
