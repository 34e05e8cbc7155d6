extension YapDatabaseViewTransaction {
    /// Returns the number of groups. A group has at least one row. O(1), and after changes of the same transaction O(pages that it changed).
    public func numberOfGroups() -> Int { pages.state.groups.count - pages.emptyGroups }

    /// Returns the names of all groups in ascending order. O(groups).
    public func allGroups() -> [String] {
        var groups: [String] = []
        enumerateGroups { group, _ in groups.append(group) }
        return groups
    }

    /// Returns whether there is a group of this name. O(log groups).
    public func hasGroup(_ group: String) -> Bool { numberOfItems(inGroup: group) > 0 }

    /// Returns the number of rows of a group, 0 if the group does not exist.
    public func numberOfItems(inGroup group: String) -> Int { pages.count(inGroup: group) }

    /// Returns the number of rows of the view. O(1).
    public func numberOfItemsInAllGroups() -> Int { pages.state.groups.weight }

    /// Returns whether the group has no row, as one that does not exist. O(log groups).
    public func isEmptyGroup(_ group: String) -> Bool { numberOfItems(inGroup: group) == 0 }

    /// Returns whether the view has no row. O(1).
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
