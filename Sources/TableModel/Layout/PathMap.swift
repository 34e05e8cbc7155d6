import ListChanges

/// Maps the paths of rows before a change-set to those after it, and back. Only rows and sections that the change-set does not name are mapped.
///
/// O(k log k) to build for k changes, O(log k) for a look-up.
struct PathMap {
    let sections: IndexMap
    /// The maps of the rows of each section, by the section's index before. A section whose rows keep their indexes has none.
    private var rows: [Int: IndexMap] = [:]

    /// Creates the map. Checks that the numbers of rows before, changed by the change-set, are the numbers of rows after. O(k log k +
    /// sections).
    ///
    /// - Throws: a text that says what does not fit.
    init(_ changes: ChangeSet, before: SectionCounts, after source: any TableSource) throws(MisfitReason) {
        sections = try Self.sectionMap(changes, before: before.sections, after: source.numberOfSections)
        let (removed, added) = try Self.namedRows(changes)
        for (section, named) in removed where !named.allSatisfy({ $0 >= 0 && $0 < before[section] }) {
            throw MisfitReason("a row of section \(section) is named that was not there")
        }
        for (section, named) in added {
            guard section >= 0, section < source.numberOfSections else {
                throw MisfitReason("a row is inserted in section \(section), which is not there")
            }
            let count = source.numberOfRows(in: section)
            guard named.allSatisfy({ $0 >= 0 && $0 < count }) else {
                throw MisfitReason("a row is inserted in section \(section) where there is none")
            }
        }
        for section in 0..<before.sections {
            guard let sectionAfter = sections.after(section) else { continue }
            let map = IndexMap(removed: removed[section] ?? [], added: added[sectionAfter] ?? [])
            if map.hasRepetition { throw MisfitReason("a row of section \(section) is named twice") }
            let expected = before[section] - map.removed.count + map.added.count
            let found = source.numberOfRows(in: sectionAfter)
            guard expected == found else {
                throw MisfitReason("section \(sectionAfter) should have \(expected) rows and has \(found)")
            }
            if !map.isIdentity { rows[section] = map }
        }
    }

    /// Creates the map without a check against numbers of rows. It is also made of a change-set that fits no table.
    init(unchecked changes: ChangeSet) {
        sections = Self.sectionMap(changes)
        var (removed, added): ([Int: [Int]], [Int: [Int]]) = ([:], [:])
        for change in changes.rowChanges where change.type != .update {
            if let before = change.before { removed[before.section, default: []].append(before.row) }
            if let after = change.after { added[after.section, default: []].append(after.row) }
        }
        for section in Set(removed.keys).union(added.keys.compactMap(sections.before)) {
            guard let sectionAfter = sections.after(section) else { continue }
            rows[section] = IndexMap(removed: removed[section] ?? [], added: added[sectionAfter] ?? [])
        }
    }

    /// Returns a row's path after the changes; nil if the row was deleted or moved.
    func after(_ path: RowPath) -> RowPath? {
        guard let section = sections.after(path.section) else { return nil }
        guard let map = rows[path.section] else { return RowPath(section: section, row: path.row) }
        return map.after(path.row).map { RowPath(section: section, row: $0) }
    }

    /// Returns a row's path before the changes; nil if the row was inserted or moved.
    func before(_ path: RowPath) -> RowPath? {
        guard let section = sections.before(path.section) else { return nil }
        guard let map = rows[section] else { return RowPath(section: section, row: path.row) }
        return map.before(path.row).map { RowPath(section: section, row: $0) }
    }

    /// The indexes before the changes of the sections in which rows are inserted, deleted or moved.
    var touchedSections: some Sequence<Int> { rows.keys }

    private static func sectionMap(_ changes: ChangeSet, before: Int, after: Int) throws(MisfitReason) -> IndexMap {
        let map = sectionMap(changes)
        guard map.removed.allSatisfy({ $0 >= 0 && $0 < before }), map.added.allSatisfy({ $0 >= 0 && $0 < after }) else {
            throw MisfitReason("a section is named that is not there")
        }
        if map.hasRepetition { throw MisfitReason("a section is named twice") }
        let expected = before - map.removed.count + map.added.count
        guard expected == after else { throw MisfitReason("there should be \(expected) sections and are \(after)") }
        return map
    }

    private static func sectionMap(_ changes: ChangeSet) -> IndexMap {
        IndexMap(
            removed: changes.sectionChanges.filter { $0.type == .delete }.map(\.index),
            added: changes.sectionChanges.filter { $0.type == .insert }.map(\.index))
    }

    private static func namedRows(
        _ changes: ChangeSet
    ) throws(MisfitReason) -> (removed: [Int: [Int]], added: [Int: [Int]]) {
        var removed: [Int: [Int]] = [:]
        var added: [Int: [Int]] = [:]
        for change in changes.rowChanges where change.type != .update {
            if change.type != .insert {
                guard let before = change.before else { throw MisfitReason("a \(change.type) does not say where") }
                removed[before.section, default: []].append(before.row)
            }
            if change.type != .delete {
                guard let after = change.after else { throw MisfitReason("a \(change.type) does not say where to") }
                added[after.section, default: []].append(after.row)
            }
        }
        return (removed, added)
    }
}

/// Why a change-set does not fit; the table turns it into a `Misfit`.
struct MisfitReason: Error {
    let text: String

    init(_ text: String) { self.text = text }
}
