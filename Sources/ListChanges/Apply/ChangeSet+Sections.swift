/// A section of a list: its group and its rows.
public struct ListSection<Row> {
    /// The name of the group that the section shows.
    public var group: String
    /// The rows, from the first to the last.
    public var rows: [Row]

    /// Creates a section of rows in their order.
    /// - Parameters:
    ///   - group: the name of the group.
    ///   - rows: the rows, from the first to the last.
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
    /// `row` is called on the calling thread.
    ///
    /// - Parameters:
    ///   - sections: the list before. Sections without a change are not copied.
    ///   - row: returns the row at a path *after* the changes; called for inserted and updated rows, and for moved ones whose
    ///     content changed.
    /// - Throws: ``ChangeSetMisfit`` if the changes do not fit the list, and the errors of `row`. The list is unchanged then.
    /// - Complexity: O(k log k) for k changes, and O(rows) of the sections that get or lose rows.
    public func apply<Row>(to sections: inout [ListSection<Row>], row: (RowPath) throws -> Row) throws {
        // All that can fail comes first. Then the rows are changed where they are, so that those of an array with one owner
        // are not copied.
        var (groups, counts): ([String], [Int]) = ([], [])
        for section in sections {
            groups.append(section.group)
            counts.append(section.rows.count)
        }
        let origins = try origins(groups)
        var edits = SectionEdits(before: sections.count, after: origins.count)
        var values: [Row] = []
        for change in rowChanges where change.type != .update {
            var isSame = false
            if let path = change.before {
                guard counts.indices.contains(path.section), (0..<counts[path.section]).contains(path.row) else {
                    throw ChangeSetMisfit.row(change)
                }
                edits.leaving[path.section].append((path.row, change))
                isSame = change.flags.isEmpty
            }
            guard let path = change.after else { continue }
            guard edits.coming.indices.contains(path.section) else { throw ChangeSetMisfit.row(change) }
            edits.coming[path.section].append((path.row, values.count, change))
            if isSame, let path = change.before {
                values.append(sections[path.section].rows[path.row])
            } else {
                try values.append(row(path))
            }
        }
        let after = try edits.sort(origins.map { $0.section }, counts)
        var updates: [(RowPath, value: Int)] = []
        for change in rowChanges where change.type == .update {
            guard let path = change.after, after.indices.contains(path.section),
                (0..<after[path.section]).contains(path.row)
            else { throw ChangeSetMisfit.row(change) }
            updates.append((path, values.count))
            try values.append(row(path))
        }
        if !sectionChanges.isEmpty {
            let before = sections
            sections = []
            for (group, section) in origins {
                sections.append(ListSection(group: group, rows: section.map { before[$0].rows } ?? []))
            }
        }
        for (index, (_, section)) in origins.enumerated() {
            if let section, !edits.leaving[section].isEmpty { sections[index].rows.remove(edits.leaving[section]) }
            if !edits.coming[index].isEmpty { sections[index].rows.insert(edits.coming[index], values) }
        }
        for (path, value) in updates { sections[path.section].rows[path.row] = values[value] }
    }
}

/// The rows that leave and come, by section: leaving ones by the sections before, coming ones by those after.
private struct SectionEdits {
    var leaving: [[(row: Int, change: RowChange)]]
    /// With the place of the new row in an array of values.
    var coming: [[(row: Int, value: Int, change: RowChange)]]

    init(before: Int, after: Int) {
        (leaving, coming) = (Array(repeating: [], count: before), Array(repeating: [], count: after))
    }

    /// Sorts the rows of each section.
    /// - Parameters:
    ///   - origins: of each section after, which section it was before; nil for an inserted one.
    ///   - counts: the numbers of rows before.
    /// - Returns: the numbers of rows after.
    /// - Throws: if a row leaves twice, or comes to a place that there is not.
    mutating func sort(_ origins: [Int?], _ counts: [Int]) throws(ChangeSetMisfit) -> [Int] {
        for section in leaving.indices where leaving[section].count > 1 {
            leaving[section].sort { $0.row < $1.row }
            for (a, b) in zip(leaving[section], leaving[section].dropFirst()) where a.row == b.row {
                throw .row(b.change)
            }
        }
        var after: [Int] = []
        for (section, origin) in origins.enumerated() {
            if coming[section].count > 1 { coming[section].sort { $0.row < $1.row } }
            let staying = origin.map { counts[$0] - leaving[$0].count } ?? 0
            for (place, next) in coming[section].enumerated() {
                guard next.row >= place, next.row <= staying + place,
                    place == 0 || coming[section][place - 1].row < next.row
                else { throw .row(next.change) }
            }
            after.append(staying + coming[section].count)
        }
        return after
    }
}

extension Array {
    /// From so many changes of a section on, its rows are copied once instead of moved for each change.
    private static var fewChanges: Int { 8 }

    /// - Parameter leaving: different rows of the array, in ascending order.
    fileprivate mutating func remove(_ leaving: [(row: Int, change: RowChange)]) {
        guard leaving.count > Self.fewChanges else {
            for (row, _) in leaving.reversed() { remove(at: row) }
            return
        }
        var rest: [Element] = []
        rest.reserveCapacity(count - leaving.count)
        var start = 0
        for (row, _) in leaving {
            rest += self[start..<row]
            start = row + 1
        }
        self = rest + self[start...]
    }

    /// - Parameter coming: different rows in ascending order. Each of them has a place when the rows before it have been inserted.
    fileprivate mutating func insert(_ coming: [(row: Int, value: Int, change: RowChange)], _ values: [Element]) {
        guard coming.count > Self.fewChanges else {
            for (row, value, _) in coming { insert(values[value], at: row) }
            return
        }
        var all: [Element] = []
        all.reserveCapacity(count + coming.count)
        var start = 0
        for (row, value, _) in coming {
            let end = start + (row - all.count)
            all += self[start..<end]
            all.append(values[value])
            start = end
        }
        self = all + self[start...]
    }
}
