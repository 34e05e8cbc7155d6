import ListChanges

extension Vector.State {
    /// Returns the differences between these mappings and the state.
    func differences(from mappings: Mappings, _ view: ModelView) -> [String] {
        var found: [String] = []
        let shown = ListSnapshot(mappings, view).sections.map {
            Section(group: $0.group, rows: $0.rows.map(\.scenarioName))
        }
        if shown != sections { found.append("shows \(shown) instead of \(sections)") }
        if mappings.allGroups != groups { found.append("groups \(mappings.allGroups) instead of \(groups)") }
        let counts = Dictionary(uniqueKeysWithValues: mappings.allGroups.map { ($0, mappings.fullCount(inGroup: $0)) })
        if counts != self.counts { found.append("counts \(counts) instead of \(self.counts)") }
        var ranges: [String: Range] = [:]
        for group in mappings.allGroups {
            guard let range = mappings.rangeOptions(forGroup: group) else { continue }
            ranges[group] = Range(length: range.length, offset: range.offset, from: "\(range.pin)")
        }
        if ranges != self.ranges { found.append("ranges \(ranges) instead of \(self.ranges)") }
        if let consolidated, consolidated != mappings.isUsingConsolidatedGroup {
            found.append("consolidated should be \(consolidated)")
        }
        return found
    }

}

extension Vector.Step {
    /// Returns the differences between the change-set and the state's, as a set and without rows named only for a
    /// dependency. Our change-set may have keys that the original lacks.
    func differences(from changes: ChangeSet) -> [String] {
        let ours = Set(changes.sectionChanges.map(SectionChange.init))
        let theirs = Set(sectionChanges)
        let theirRows = Set(rowChanges.filter { $0.changes != ["dependency"] })
        let ourRows = Set(
            changes.rowChanges.map(RowChange.init).filter { $0.changes != ["dependency"] }
                .map { theirRows.contains($0.keyless) ? $0.keyless : $0 })
        return ours.subtracting(theirs).map { "extra \($0)" } + theirs.subtracting(ours).map { "missing \($0)" }
            + ourRows.subtracting(theirRows).map { "extra \($0)" }
            + theirRows.subtracting(ourRows).map { "missing \($0)" }
    }
}

extension Vector.Step.SectionChange {
    init(_ change: ListChanges.SectionChange) {
        self.init(type: "\(change.type)", section: change.index, group: change.group)
    }
}

extension Vector.Step.RowChange {
    init(_ change: ListChanges.RowChange) {
        let names: [(ChangeFlags, String)] = [
            (.object, "object"), (.metadata, "metadata"), (.dependency, "dependency"),
        ]
        let isUpdate = change.type == .update
        self.init(
            type: "\(change.type)", key: change.key?.scenarioName,
            changes: Set(names.filter { change.flags.contains($0.0) }.map(\.1)),
            indexPath: change.before.map(Vector.Step.Path.init),
            newIndexPath: isUpdate ? nil : change.after.map(Vector.Step.Path.init),
            originalGroup: change.originalGroup, finalGroup: isUpdate ? nil : change.finalGroup)
    }
}

extension RowKey {
    /// The row's name in scenarios: its key alone in the collection `c`.
    var scenarioName: String { collection == "c" ? key : description }
}

extension Vector.Step.RowChange {
    fileprivate var keyless: Vector.Step.RowChange {
        var copy = self
        copy.key = nil
        return copy
    }
}

extension Vector.State.Range: CustomStringConvertible {
    var description: String { "\(length)@\(offset) from \(from)" }
}

extension Vector.State.Section: CustomStringConvertible {
    var description: String { "\(group)\(rows.map { $0 ?? "?" })" }
}

extension Vector.Step.RowChange: CustomStringConvertible {
    var description: String {
        let paths = [indexPath, newIndexPath].compactMap { $0.map { "\($0.numbers)" } }.joined(separator: "->")
        return "\(type) \(key ?? "?") \(paths) \(originalGroup ?? "-")->\(finalGroup ?? "-") \(changes.sorted())"
    }
}
