import ListChanges

extension Rows {
    /// Returns a valid change-set from these rows to others: sections are identified by title, rows by key.
    ///
    /// Rows that keep their order (a longest increasing subsequence) are not named; the others move.
    func changes(to after: Rows) -> ChangeSet {
        var changes = ChangeSet()
        let titlesAfter = Dictionary(uniqueKeysWithValues: after.sections.enumerated().map { ($1.title, $0) })
        let titlesBefore = Set(sections.map(\.title))
        for (index, section) in sections.enumerated() where titlesAfter[section.title] == nil {
            changes.sectionChanges.append(SectionChange(type: .delete, index: index, group: section.title))
        }
        for (index, section) in after.sections.enumerated() where !titlesBefore.contains(section.title) {
            changes.sectionChanges.append(SectionChange(type: .insert, index: index, group: section.title))
        }
        let old = placesByKey
        let new = after.placesByKey
        for (key, place) in old.sorted(by: { $0.value < $1.value }) where new[key] == nil {
            changes.rowChanges.append(change(.delete, key, place, nil, after))
        }
        for (key, place) in new.sorted(by: { $0.value < $1.value }) where old[key] == nil {
            changes.rowChanges.append(change(.insert, key, nil, place, after))
        }
        let staying = keysThatStay(in: after, old, new)
        for (key, place) in old.sorted(by: { $0.value < $1.value }) {
            guard let destination = new[key] else { continue }
            if !staying.contains(key) {
                changes.rowChanges.append(change(.move, key, place, destination, after))
            } else if self[place] != after[destination] {
                changes.rowChanges.append(change(.update, key, place, destination, after))
            }
        }
        return changes
    }

    private var placesByKey: [String: RowPath] {
        var places: [String: RowPath] = [:]
        for (section, rows) in sections.enumerated() {
            for (row, value) in rows.rows.enumerated() { places[value.key] = RowPath(section: section, row: row) }
        }
        return places
    }

    /// Returns, for each section that stays, a longest subsequence of common rows in the same order before and after.
    private func keysThatStay(in after: Rows, _ old: [String: RowPath], _ new: [String: RowPath]) -> Set<String> {
        var staying: Set<String> = []
        for section in sections {
            guard let twin = after.sections.first(where: { $0.title == section.title }) else { continue }
            let rowsAfter = Dictionary(uniqueKeysWithValues: twin.rows.enumerated().map { ($1.key, $0) })
            let common = section.rows.map(\.key).filter { rowsAfter[$0] != nil }
            staying.formUnion(longestIncreasing(common) { rowsAfter[$0] ?? 0 })
        }
        return staying
    }

    private func longestIncreasing(_ keys: [String], by rank: (String) -> Int) -> [String] {
        var best: [[String]] = []
        for key in keys {
            let runs = best.filter { rank($0[$0.count - 1]) < rank(key) }
            best.append((runs.max { $0.count < $1.count } ?? []) + [key])
        }
        return best.max { $0.count < $1.count } ?? []
    }

    private func change(
        _ type: ChangeType, _ key: String, _ before: RowPath?, _ after: RowPath?, _ rowsAfter: Rows
    ) -> RowChange {
        RowChange(
            type: type, flags: .object, key: RowKey(collection: "", key: key), before: before, after: after,
            originalGroup: before.map { sections[$0.section].title },
            finalGroup: after.map { rowsAfter.sections[$0.section].title })
    }
}

extension ChangeSet {
    /// Table views accept both: the rows of a deleted or inserted section may be named or not.
    mutating func leaveOutRowsOfChangedSections() {
        let deleted = Set(sectionChanges.filter { $0.type == .delete }.map(\.index))
        let inserted = Set(sectionChanges.filter { $0.type == .insert }.map(\.index))
        rowChanges.removeAll { change in
            (change.type == .delete && change.before.map { deleted.contains($0.section) } ?? false)
                || (change.type == .insert && change.after.map { inserted.contains($0.section) } ?? false)
        }
    }
}
