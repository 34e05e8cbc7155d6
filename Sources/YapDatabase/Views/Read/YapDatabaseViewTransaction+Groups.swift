extension YapDatabaseViewTransaction {
    /// Returns the number of groups. A group has at least one row. O(1).
    public func numberOfGroups() -> Int { pages.state.groups.count }

    /// Returns the names of all groups in ascending order. O(groups).
    public func allGroups() -> [String] {
        var groups: [String] = []
        enumerateGroups { group, _ in groups.append(group) }
        return groups
    }

    public func hasGroup(_ group: String) -> Bool { pages.state.groups[group] != nil }

    /// Returns the number of rows of a group, 0 if the group does not exist.
    public func numberOfItems(inGroup group: String) -> Int { pages.count(inGroup: group) }

    public func numberOfItemsInAllGroups() -> Int { pages.state.groups.weight }

    public func isEmptyGroup(_ group: String) -> Bool { numberOfItems(inGroup: group) == 0 }

    public func isEmpty() -> Bool { numberOfItemsInAllGroups() == 0 }

    /// Calls `body` for the names of the groups in ascending order until it sets `stop`.
    public func enumerateGroups(_ body: (_ group: String, _ stop: inout Bool) throws -> Void) rethrows {
        try pages.state.groups.forEach { group, list in
            guard list.weight > 0 else { return true }
            var stop = false
            try body(group, &stop)
            return !stop
        }
    }
}
