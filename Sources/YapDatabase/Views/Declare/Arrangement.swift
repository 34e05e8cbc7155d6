import Foundation
import Synchronization

/// The blocks that decide a row's place in a view, and the tag that names this version of them.
///
/// One object, because each write transaction takes it along.
final class Arrangement: Sendable {
    let grouping: YapDatabaseViewGrouping
    let sorting: YapDatabaseViewSorting
    let versionTag: String
    /// The same decisions as a declaration by fields; nil if blocks make them.
    let fields: FieldPlacing?
    /// Looks for contradictions in the order that a block gives; nil if the order needs no check.
    let orderCheck: OrderCheck?

    init(
        grouping: YapDatabaseViewGrouping, sorting: YapDatabaseViewSorting, versionTag: String,
        fields: FieldPlacing? = nil, isTotal: Bool = false
    ) {
        orderCheck = isTotal ? nil : OrderCheck()
        (self.grouping, self.sorting, self.versionTag, self.fields) = (grouping, sorting, versionTag, fields)
    }

    /// Returns what the blocks take of a row.
    /// - Parameter read: decodes the row.
    /// - Throws: what `read` throws, and an error that says the same if the object is of another type than the fields are.
    @inline(__always) func content(_ read: () throws -> RowContent) throws -> RowContent {
        let content = try read()
        try fields?.check(content)
        return content
    }

    var needs: RowNeeds { grouping.needs.union(sorting.needs) }
}

/// Notices that the order of a view contradicts itself, by some comparisons more than a search or a sort needs, and says so once.
///
/// Rows are neither lost nor doubled in such a view. But their order means nothing, and changes when the view is filled again.
final class OrderCheck: Sendable {
    private let hasReported = Atomic(false)
    private let searches = Atomic(0)

    /// One of so many searches is checked.
    private static let searchesForOneCheck = 8
    /// The most comparisons of a sorted group.
    private static let maxPairs = 32

    /// Whether the next search of the view is to be checked.
    func isSearchDue() -> Bool {
        !hasReported.load(ordering: .relaxed)
            && searches.wrappingAdd(1, ordering: .relaxed).oldValue % Self.searchesForOneCheck == 0
    }

    /// Compares some rows of a sorted group with later ones.
    func check(
        _ rows: [RowContent], of view: String, _ group: String,
        by compare: (RowContent, RowContent) throws -> ComparisonResult
    ) rethrows {
        guard rows.count > 2, !hasReported.load(ordering: .relaxed) else { return }
        for pair in 0..<min(Self.maxPairs, max(1, rows.count / 4)) {
            // The ends first, then pairs that are spread over the group.
            let spread = pair &* 0x9E37_79B9
            let (a, b) = (spread % rows.count, (spread / 7 + rows.count - 1) % rows.count)
            let (first, second) = (rows[min(a, b)], rows[max(a, b)])
            guard first !== second else { continue }
            let (forward, backward) = (try compare(first, second), try compare(second, first))
            if forward == .orderedDescending || backward.rawValue != -forward.rawValue {
                return report(view, group, first, second)
            }
        }
    }

    /// Says that rows contradict each other.
    func report(_ view: String, _ group: String, _ first: RowContent, _ second: RowContent) {
        guard !hasReported.exchange(true, ordering: .relaxed) else { return }
        YapDatabase.log(
            .warning,
            "The sorting block of \"\(view)\" defines no order: in the group \"\(group)\" \(first.key) and \(second.key) contradict what it said "
                + "of other rows. No row is lost, but the order means nothing. Compare so that of any two rows that differ one comes first, "
                + "whatever the others are; say where NaN comes.")
    }
}
