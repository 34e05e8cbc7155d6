import ListChanges

/// An edit of a list in small numbers, from which the engine's operation is made.
struct Edit: Equatable {
    enum Kind: Equatable {
        case insert, delete, update, reset, open, close
    }

    var kind: Kind
    var group: Int
    var index = 0
    var key = 0
    var flags: ChangeFlags = []
}

/// Groups of rows as plain arrays of key numbers, and the log of their edits, in the form of a view's log.
struct ModelList {
    static let names = ["A", "B", "C", "Z"]
    static let keys = (0..<4_000).map { RowKey(collection: "c", key: "k\($0)") }

    private(set) var groups: [[Int]]
    private(set) var log: [Edit] = []
    private var isOpen: [Bool]

    init(_ groups: [[Int]]) {
        self.groups = groups
        self.isOpen = groups.map { !$0.isEmpty }
    }

    var counts: [String: Int] {
        Dictionary(uniqueKeysWithValues: groups.indices.map { (Self.names[$0], groups[$0].count) })
    }

    mutating func insert(_ key: Int, at index: Int, in group: Int) {
        if !isOpen[group] {
            isOpen[group] = true
            log.append(Edit(kind: .open, group: group))
        }
        groups[group].insert(key, at: index)
        log.append(Edit(kind: .insert, group: group, index: index, key: key))
    }

    @discardableResult
    mutating func remove(at index: Int, in group: Int) -> Int {
        let key = groups[group].remove(at: index)
        log.append(Edit(kind: .delete, group: group, index: index, key: key))
        return key
    }

    mutating func update(at index: Int, in group: Int, _ flags: ChangeFlags) {
        log.append(Edit(kind: .update, group: group, index: index, key: groups[group][index], flags: flags))
    }

    mutating func reset(_ group: Int) {
        groups[group] = []
        isOpen[group] = false
        log.append(Edit(kind: .reset, group: group))
    }

    /// Ends a transaction: removes empty groups.
    mutating func commit() {
        for group in groups.indices where isOpen[group] && groups[group].isEmpty {
            isOpen[group] = false
            log.append(Edit(kind: .close, group: group))
        }
    }

    /// Returns the edits of all commits since the last call.
    mutating func takeLog() -> [Edit] {
        defer { log.removeAll() }
        return log
    }
}

extension Edit {
    var operation: RawOperation {
        let name = ModelList.names[group]
        switch kind {
        case .insert: return .insertRow(group: name, index: index, key: ModelList.keys[key])
        case .delete: return .deleteRow(group: name, index: index, key: ModelList.keys[key])
        case .update: return .updateRow(group: name, index: index, key: ModelList.keys[key], flags: flags)
        case .reset: return .resetSection(group: name)
        case .open: return .insertSection(group: name)
        case .close: return .deleteSection(group: name)
        }
    }
}
