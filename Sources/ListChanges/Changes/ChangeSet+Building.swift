extension Mappings {
    /// Returns the changes that lead a list from these mappings to `after`, given the replay of the log between them.
    func changes(to after: Mappings, replay: inout Replay) -> ChangeSet {
        var changes = ChangeSet(sectionChanges: sectionChanges(to: after, order: replay.sectionOrder))
        let isReplaced = !isShown(asOne: after.shownName)
        if isReplaced {
            for group in shownGroups + after.shownGroups { _ = replay.slot(of: group) }
        }
        let groups = zip(sides(of: replay.groups), after.sides(of: replay.groups)).map(GroupOnScreen.init)
        let staysConsolidated = shownName != nil && !isReplaced
        var rows = RowChangeBuilder(groups: groups, isReplaced: isReplaced, staysConsolidated: staysConsolidated)
        let untouched = groups.indices.map { slot in
            replay.placeTouched(slot, isNeeded: rows.needsUntouched(of: replay.groups[slot], slot))
        }
        rows.addTouched(replay)
        for (slot, rest) in untouched.enumerated() {
            rows.addUntouched(slot, rest, replay)
        }
        changes.rowChanges = rows.changes
        return changes
    }
}

extension Mappings {
    /// Returns the deleted and inserted sections: first those that the log's section operations name, in that order,
    /// then those that disappear or appear because of a window or a setting. If the groups start or stop being
    /// consolidated, or change their consolidated name, all sections are replaced.
    func sectionChanges(to after: Mappings, order: [String]) -> [SectionChange] {
        let (old, new) = (visibleGroups, after.visibleGroups)
        if !isShown(asOne: after.shownName) {
            return old.enumerated().map { SectionChange(type: .delete, index: $0, group: $1) }
                + new.enumerated().map { SectionChange(type: .insert, index: $0, group: $1) }
        }
        guard !old.hasSameBytes(as: new) else { return [] }
        var changes = ExactDictionary<SectionChange>()
        for (index, group) in old.enumerated() where after.shownSections[group] == nil {
            changes[group] = SectionChange(type: .delete, index: index, group: group)
        }
        for (index, group) in new.enumerated() where shownSections[group] == nil {
            changes[group] = SectionChange(type: .insert, index: index, group: group)
        }
        return (order + old + new).compactMap { changes.removeValue(forKey: $0) }
    }
}

extension Mappings {
    /// Whether the groups are shown under the same one name, or under their own.
    private func isShown(asOne name: String?) -> Bool { shownName.map { $0.isName(name) } ?? (name == nil) }
}
