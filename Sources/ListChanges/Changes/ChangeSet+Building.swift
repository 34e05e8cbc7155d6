extension ChangeSet {
    /// The changes that a list showing `before` needs to show `after`, when `replay` is what happened between them.
    init(from before: Mappings, to after: Mappings, replay: inout Replay) {
        self.init(sectionChanges: before.sectionChanges(to: after, order: replay.sectionOrder))
        let isReplaced = before.isUsingConsolidatedGroup != after.isUsingConsolidatedGroup
        if isReplaced {
            for group in before.shownGroups + after.shownGroups { _ = replay.slot(of: group) }
        }
        let groups = zip(before.sides(of: replay.groups), after.sides(of: replay.groups)).map(GroupOnScreen.init)
        let staysConsolidated = before.isUsingConsolidatedGroup && after.isUsingConsolidatedGroup
        var rows = RowChanges(groups: groups, isReplaced: isReplaced, staysConsolidated: staysConsolidated)
        let arrangements = groups.indices.map { slot in
            replay.arrange(slot, isNeeded: rows.needsArrangement(of: replay.groups[slot], slot))
        }
        rows.addTouched(replay)
        for (slot, arrangement) in arrangements.enumerated() {
            rows.addUntouched(slot, arrangement, replay)
        }
        rowChanges = rows.changes
    }
}

extension Mappings {
    /// The sections that come and go: first those that the log's section operations name, in that order, then those
    /// that vanish and those that appear because of a window or a setting.
    func sectionChanges(to after: Mappings, order: [String]) -> [SectionChange] {
        let (old, new) = (visibleGroups, after.visibleGroups)
        guard old != new else { return [] }
        let isReplaced = isUsingConsolidatedGroup != after.isUsingConsolidatedGroup
        var changes: [String: SectionChange] = [:]
        var rest: [String] = []
        for (index, group) in old.enumerated() where isReplaced || after.shownSections[group] == nil {
            changes[group] = SectionChange(type: .delete, index: index, group: group)
            rest.append(group)
        }
        for (index, group) in new.enumerated() where isReplaced || shownSections[group] == nil {
            changes[group] = SectionChange(type: .insert, index: index, group: group)
            rest.append(group)
        }
        return (order + rest).compactMap { changes.removeValue(forKey: $0) }
    }
}
