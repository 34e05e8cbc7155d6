import ListChanges

/// A view as plain arrays: groups of keys in order, and the log of their edits.
struct ModelView {
    private(set) var groups: [String: [RowKey]] = [:]
    private(set) var log: [RawOperation] = []
    /// The groups that have a page, even if it is empty until the commit.
    private var opened: Set<String> = []

    var groupNames: [String] { groups.keys.sorted() }
    var counts: [String: Int] { groups.mapValues(\.count) }

    func place(of key: RowKey) -> (group: String, index: Int)? {
        for (group, keys) in groups {
            if let index = keys.firstIndex(of: key) { return (group, index) }
        }
        return nil
    }

    mutating func insert(_ key: RowKey, at index: Int, in group: String) {
        if opened.insert(group).inserted { log.append(.insertSection(group: group)) }
        groups[group, default: []].insert(key, at: index)
        log.append(.insertRow(group: group, index: index, key: key))
    }

    mutating func remove(at index: Int, in group: String) {
        let key = groups[group]!.remove(at: index)
        log.append(.deleteRow(group: group, index: index, key: key))
    }

    mutating func update(at index: Int, in group: String, _ flags: ChangeFlags) {
        log.append(.updateRow(group: group, index: index, key: groups[group]![index], flags: flags))
    }

    mutating func reset(_ group: String) {
        groups[group] = nil
        if opened.remove(group) != nil { log.append(.resetSection(group: group)) }
    }

    /// Ends a transaction: removes empty groups.
    mutating func commit() {
        for group in groupNames where groups[group]!.isEmpty {
            groups[group] = nil
            opened.remove(group)
            log.append(.deleteSection(group: group))
        }
    }

    /// Returns the log of all commits since the last call.
    mutating func takeLog() -> [RawOperation] {
        defer { log = [] }
        return log
    }
}
