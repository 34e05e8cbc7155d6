import ListChanges

/// The rows of a scenario, and a view that groups them by their group and sorts them by sort, key and collection, the
/// way the original's automatic view does.
struct ModelDatabase {
    private struct Row {
        var group: String?
        var sort: Int
    }

    private(set) var view = ModelView()
    private var rows: [RowKey: Row] = [:]

    mutating func perform(_ commit: [Scenario.Operation]) {
        for operation in commit { perform(operation) }
        view.commit()
    }

    mutating func takeLog() -> [RawOperation] { view.takeLog() }

    private mutating func perform(_ operation: Scenario.Operation) {
        let collection = operation.collection ?? "c"
        let key = RowKey(collection: collection, key: operation.key ?? "")
        switch operation.op {
        case "set": set(key, operation, [.object, .metadata])
        case "replaceObject": if rows[key] != nil { set(key, operation, .object) }
        case "replaceMetadata", "touchMetadata": touch(key, .metadata)
        case "touch": touch(key, .object)
        case "touchRow": touch(key, [.object, .metadata])
        case "remove": remove(key)
        case "removeMany": removeMany(operation.keys!.map { RowKey(collection: collection, key: $0) })
        case "removeCollection": removeMany(rows.keys.filter { $0.collection == collection })
        case "removeAll":
            rows = [:]
            for group in view.groupNames { view.reset(group) }
        default: preconditionFailure("There is no operation \(operation.op).")
        }
    }

    private mutating func set(_ key: RowKey, _ operation: Scenario.Operation, _ flags: ChangeFlags) {
        let old = view.place(of: key)
        rows[key] = Row(group: operation.group, sort: operation.sort!)
        if let old, old.group == operation.group, fits(at: old.index, in: old.group) {
            return view.update(at: old.index, in: old.group, flags)
        }
        if let old { view.remove(at: old.index, in: old.group) }
        guard let group = operation.group else { return }
        let keys = view.groups[group] ?? []
        view.insert(key, at: keys.firstIndex { precedes(key, $0) } ?? keys.count, in: group)
    }

    private mutating func remove(_ key: RowKey) {
        rows[key] = nil
        if let place = view.place(of: key) { view.remove(at: place.index, in: place.group) }
    }

    /// In the order of the original's log.
    private mutating func removeMany(_ keys: [RowKey]) {
        for key in keys.reversed() { remove(key) }
    }

    private mutating func touch(_ key: RowKey, _ flags: ChangeFlags) {
        if let place = view.place(of: key) { view.update(at: place.index, in: place.group, flags) }
    }

    private func fits(at index: Int, in group: String) -> Bool {
        let keys = view.groups[group]!
        return (index == 0 || !precedes(keys[index], keys[index - 1]))
            && (index == keys.count - 1 || !precedes(keys[index + 1], keys[index]))
    }

    private func precedes(_ a: RowKey, _ b: RowKey) -> Bool {
        (rows[a]!.sort, a.key, a.collection) < (rows[b]!.sort, b.key, b.collection)
    }
}
