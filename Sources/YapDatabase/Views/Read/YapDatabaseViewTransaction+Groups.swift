extension YapDatabaseViewTransaction {
    /// The number of groups; a group has at least one row. O(1).
    public func numberOfGroups() -> Int { pages.state.groups.count }

    /// The names of all groups in ascending order. O(groups).
    public func allGroups() -> [String] {
        var groups: [String] = []
        enumerateGroups { group, _ in groups.append(group) }
        return groups
    }

    public func hasGroup(_ group: String) -> Bool { pages.state.groups[group] != nil }

    /// The number of rows of a group, 0 for a group that does not exist.
    public func numberOfItems(inGroup group: String) -> Int { pages.count(inGroup: group) }

    public func numberOfItemsInAllGroups() -> Int { pages.state.groups.weight }

    public func isEmptyGroup(_ group: String) -> Bool { numberOfItems(inGroup: group) == 0 }

    public func isEmpty() -> Bool { numberOfItemsInAllGroups() == 0 }

    /// Visits the names of the groups in ascending order until `stop` is set.
    public func enumerateGroups(_ body: (_ group: String, _ stop: inout Bool) throws -> Void) rethrows {
        try pages.state.groups.forEach { group, list in
            guard list.weight > 0 else { return true }
            var stop = false
            try body(group, &stop)
            return !stop
        }
    }
}
