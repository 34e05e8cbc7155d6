/// Rows that a transaction has written and that have no place in their view yet.
///
/// The first rows of a transaction are placed at once, each by a search. After these, rows are collected, sorted, and merged into
/// the pages together: when the view is read, when there are too many, and at the commit.
struct DeferredRows {
    /// The rows of a transaction that are placed at once. A block that fails on one of them fails in the very call that wrote it.
    static let placedAtOnce = 64
    /// What is held decoded at most, as in a population.
    private static let limit = ViewPopulation.Limit()

    /// In the order in which they came; nil for one that was taken out.
    private var rows: [String: [RowContent?]] = [:]
    private var places: [Int64: Place] = [:]
    private var bytes = 0

    private struct Place {
        let group: String
        let index: Int
    }

    var isEmpty: Bool { places.isEmpty }
    var isFull: Bool { places.count >= Self.limit.rows || bytes >= Self.limit.bytes }
    /// The rows of each group, in the order in which they came, by the names of the groups.
    var groups: [(name: String, rows: [RowContent])] {
        rows.map { ($0.key, $0.value.compactMap(\.self)) }.sorted { $0.name < $1.name }
    }

    /// Adds a row that is not in the view.
    mutating func add(_ row: RowContent, to group: String) {
        places[row.rowid] = Place(group: group, index: rows[group]?.count ?? 0)
        rows[group, default: []].append(row)
        bytes += row.size
    }

    /// Takes a row out, if it is here. O(1).
    mutating func remove(_ rowid: Int64) -> (group: String, row: RowContent)? {
        guard !places.isEmpty, let place = places.removeValue(forKey: rowid) else { return nil }
        let row = rows[place.group]![place.index]!
        rows[place.group]![place.index] = nil
        bytes -= row.size
        return (place.group, row)
    }
}
