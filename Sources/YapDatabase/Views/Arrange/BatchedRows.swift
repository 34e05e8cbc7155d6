import Foundation
import ListChanges

/// The rows of a batch by their groups. Rows that follow each other are often of one group, whose name need not be looked up for each.
struct BatchedRows {
    private(set) var groups: [(name: String, rows: [RowContent])] = []
    private var places = ExactDictionary<Int>()
    /// The place of the group of the last row.
    private var latest = 0

    mutating func append(_ row: RowContent, to group: String) {
        choose(group)
        groups[latest].rows.append(row)
    }

    mutating func append(_ rows: [RowContent], to group: String) {
        choose(group)
        groups[latest].rows += rows
    }

    private mutating func choose(_ group: String) {
        if !groups.isEmpty, groups[latest].name.hasSameBytes(as: group) { return }
        if let place = places[group] { return latest = place }
        latest = groups.count
        places[group] = latest
        groups.append((group, []))
    }
}

/// The order of rows of which the block may call some equal.
struct RowOrder {
    let sorting: YapDatabaseViewSorting
    let transaction: YapDatabaseReadTransaction

    func precedes(_ first: RowContent, _ second: RowContent, _ group: String) throws -> Bool {
        switch try sorting.compare(transaction, group, first, second) {
        case .orderedAscending: true
        case .orderedSame: first.rank < second.rank
        case .orderedDescending: false
        }
    }
}
