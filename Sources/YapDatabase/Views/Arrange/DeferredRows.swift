import ListChanges

/// Rows that a transaction has written and that have no place in their view yet.
///
/// The first rows of a transaction are placed at once, each by a search. After these, rows are collected, sorted, and merged into
/// the pages together: when the view is read, when there are too many, and at the commit.
///
/// Only a view that no other view follows defers rows. "Too many" are 131,072 rows or 32 MB. A row that changes its
/// place leaves the old one at once, so the log stays in order and only the insertions come later. A block that
/// throws while rows are merged fails the commit, not the call that wrote the row.
struct DeferredRows {
    /// The rows of a transaction that are placed at once. A block that fails on one of them fails in the very call that wrote it.
    static let placedAtOnce = 64
    /// What is held decoded at most, as in a population.
    private static let limit = ViewPopulation.Limit()

    private var lists: [(group: String, rows: Rows)] = []
    /// The places of the groups among the lists.
    private var groupNumbers = ExactDictionary<Int32>()
    private var places: [Int64: Place] = [:]
    private var bytes = 0

    /// In the order in which they came; nil for one that was taken out.
    private typealias Rows = [RowContent?]

    private struct Place {
        let group: Int32
        let index: Int32
    }

    var isEmpty: Bool { places.isEmpty }
    var isFull: Bool { places.count >= Self.limit.rows || bytes >= Self.limit.bytes }
    /// The rows of each group, in the order in which they came, by the names of the groups.
    var groups: [(name: String, rows: [RowContent])] {
        lists.map { ($0.group, $0.rows.compactMap(\.self)) }.sorted { $0.name.precedes($1.name) }
    }

    /// Adds a row that is not in the view.
    mutating func add(_ row: RowContent, to group: String) {
        let number = number(of: group)
        places[row.rowid] = Place(group: number, index: Int32(lists[Int(number)].rows.count))
        lists[Int(number)].rows.append(row)
        bytes += row.size
    }

    /// Takes a row out, if it is here. O(1).
    mutating func remove(_ rowid: Int64) -> (group: String, row: RowContent)? {
        guard !places.isEmpty, let place = places.removeValue(forKey: rowid) else { return nil }
        let (group, index) = (Int(place.group), Int(place.index))
        let row = lists[group].rows[index]!
        lists[group].rows[index] = nil
        bytes -= row.size
        return (lists[group].group, row)
    }

    private mutating func number(of group: String) -> Int32 {
        if let number = groupNumbers[group] { return number }
        let number = Int32(lists.count)
        groupNumbers[group] = number
        lists.append((group, []))
        return number
    }
}

/// What a view did, as it tells the extensions that are made from it. They are told after each change, so a view and its followers
/// are never more than one change apart.
enum FollowedChange {
    /// The row was inserted, moved or updated. Nil for a row that was not in the view before.
    case placed(ChangedRow, from: String?)
    /// The row is no longer in the view, and perhaps not in the database.
    case left(Int64, RowKey)
    /// All rows left.
    case cleared
    /// Many rows were placed at once.
    case rearranged(Rearrangement)
}

/// What may differ after many rows were placed at once.
enum Rearrangement {
    /// The order of the groups' rows alone.
    case order
    /// Which rows are in a group. Those that were there before keep their order.
    case rows
    /// Groups, rows and their order.
    case groups
}
