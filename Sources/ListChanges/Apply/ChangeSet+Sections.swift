/// A section of a list: its group and its rows.
public struct ListSection<Row> {
    /// The name of the group that the section shows.
    public var group: String
    /// The rows, from the first to the last.
    public var rows: [Row]

    /// Creates a section of rows in their order.
    public init(group: String, rows: [Row]) {
        self.group = group
        self.rows = rows
    }
}

extension ListSection: Sendable where Row: Sendable {}
extension ListSection: Equatable where Row: Equatable {}

extension ChangeSet {
    /// Brings rows of any type from before the changes to after them, the way a table view does it.
    ///
    /// - Parameters:
    ///   - sections: the list before. Sections without a change are not copied.
    ///   - row: returns the row at a path *after* the changes; called for inserted and updated rows, and for moved ones whose
    ///     content changed.
    /// - Throws: ``ChangeSetMisfit`` if the changes do not fit the list, and the errors of `row`. The list is unchanged then.
    /// - Complexity: O(k log k) for k changes, and O(rows) of the sections that get or lose rows.
    public func apply<Row>(to sections: inout [ListSection<Row>], row: (RowPath) throws -> Row) throws {
        let before = sections
        var leaving: [Int: [(row: Int, change: RowChange)]] = [:]
        var coming: [Int: [(row: Int, value: Row, change: RowChange)]] = [:]
        for change in rowChanges where change.type != .update {
            var same: Row?
            if let path = change.before {
                guard let found = before.row(at: path) else { throw ChangeSetMisfit.row(change) }
                leaving[path.section, default: []].append((path.row, change))
                if change.flags.isEmpty { same = found }
            }
            guard let path = change.after else { continue }
            coming[path.section, default: []].append((path.row, try same ?? row(path), change))
        }
        var after: [ListSection<Row>] = []
        for (group, origin) in try origins(before.map(\.group)) {
            var rows = origin.map { before[$0].rows } ?? []
            if let leaving = origin.flatMap({ leaving[$0] }) { try rows.remove(leaving) }
            if let coming = coming.removeValue(forKey: after.count) { try rows.insert(coming) }
            after.append(ListSection(group: group, rows: rows))
        }
        if let lost = coming.values.first?.first { throw ChangeSetMisfit.row(lost.change) }
        for change in rowChanges where change.type == .update {
            guard let path = change.after, after.row(at: path) != nil else { throw ChangeSetMisfit.row(change) }
            after[path.section].rows[path.row] = try row(path)
        }
        sections = after
    }
}

extension Array {
    fileprivate func row<Row>(at path: RowPath) -> Row? where Element == ListSection<Row> {
        guard indices.contains(path.section), self[path.section].rows.indices.contains(path.row) else { return nil }
        return self[path.section].rows[path.row]
    }

    /// From so many changes of a section on, its rows are copied once instead of moved for each change.
    private static var fewChanges: Int { 8 }

    fileprivate mutating func remove(_ leaving: [(row: Int, change: RowChange)]) throws(ChangeSetMisfit) {
        let sorted = leaving.sorted { $0.row < $1.row }
        for (a, b) in zip(sorted, sorted.dropFirst()) where a.row == b.row { throw .row(b.change) }
        guard sorted.count > Self.fewChanges else {
            for (row, _) in sorted.reversed() { remove(at: row) }
            return
        }
        var rest: [Element] = []
        rest.reserveCapacity(count - sorted.count)
        var start = 0
        for (row, _) in sorted {
            rest += self[start..<row]
            start = row + 1
        }
        self = rest + self[start...]
    }

    fileprivate mutating func insert(
        _ coming: [(row: Int, value: Element, change: RowChange)]
    ) throws(ChangeSetMisfit) {
        let sorted = coming.sorted { $0.row < $1.row }
        for (place, next) in sorted.enumerated() {
            guard next.row >= place, next.row <= count + place, place == 0 || sorted[place - 1].row < next.row else {
                throw .row(next.change)
            }
        }
        guard sorted.count > Self.fewChanges else {
            for (row, value, _) in sorted { insert(value, at: row) }
            return
        }
        var all: [Element] = []
        all.reserveCapacity(count + sorted.count)
        var start = 0
        for (row, value, _) in sorted {
            let end = start + (row - all.count)
            all += self[start..<end]
            all.append(value)
            start = end
        }
        self = all + self[start...]
    }
}
