import ListChanges

/// One jump from a snapshot to a later one, checked against all guarantees.
struct Jump {
    var engine: Mappings
    var naive: NaiveMappings
    let course: Course
    let newGroups: [Int]?

    /// Returns the errors in the engine's answer; empty if there are none. Advances the mappings.
    mutating func run() -> [String] {
        do {
            let oldEngine = engine
            let oldNaive = naive
            let (after, outcome) = try engine.advanced(
                by: course.operations, groups: newGroups?.map { ModelList.names[$0] }, counts: course.counts)
            engine = after
            naive.advance(
                course.log, groups: newGroups, from: course.rows.map(\.count), to: course.newRows.map(\.count))
            let expected = NaiveChanges(before: oldNaive, after: naive, replay: course.replay)
            guard let changes = outcome.changeSet else {
                return Self.keepsOrder(oldNaive.shown, naive.shown) ? ["reload without a reason"] : []
            }
            if !Self.keepsOrder(oldNaive.shown, naive.shown) { return ["no reload although groups changed places"] }
            return try stateProblems(course.newRows) + lawProblems(changes, oldEngine)
                + changeProblems(changes, expected)
        } catch {
            return ["\(error)"]
        }
    }

    static func keepsOrder(_ old: [Int], _ new: [Int]) -> Bool {
        old.filter(new.contains) == new.filter(old.contains)
    }

    /// Returns the differences between the mappings and the naive ones.
    func stateProblems(_ rows: [[Int]]) -> [String] {
        let shown = snapshot(engine, rows)
        let expected = naive.screen(rows).map { section in
            ListSnapshot.Section(group: section.name, rows: section.rows.map { ModelList.keys[$0] })
        }
        guard shown.sections == expected else { return ["shows \(shown) instead of \(expected)"] }
        return naive.ranges.compactMap { group, range in
            guard naive.groups.contains(group) else { return nil }
            let ours = engine.rangeOptions(forGroup: ModelList.names[group])
            let isAlike = ours?.length == range.length && ours?.offset == range.offset
            return isAlike ? nil : "range of group \(group): \(ours as Any) instead of \(range)"
        }
    }

    private func lawProblems(_ changes: ChangeSet, _ old: Mappings) throws -> [String] {
        let shown = snapshot(engine, course.newRows)
        let applied = try changes.applying(to: snapshot(old, course.rows)) { shown[$0] }
        var sections = snapshot(old, course.rows).sections.map { ListSection(group: $0.group, rows: $0.rows) }
        try changes.apply(to: &sections) { shown.sections[$0.section].rows[$0.row] }
        guard sections.map(\.rows) == shown.sections.map(\.rows), sections.map(\.group) == shown.sections.map(\.group)
        else { return ["applied to rows of any type it gives \(sections) instead of \(shown)"] }
        return applied == shown
            ? [] : ["gives \(applied) instead of \(shown), before \(snapshot(old, course.rows)) \(changes)"]
    }

    private func changeProblems(_ changes: ChangeSet, _ expected: NaiveChanges) -> [String] {
        var problems: [String] = []
        let sections = expected.sections
        if changes.sectionChanges.count != sections.count || Set(changes.sectionChanges) != sections {
            problems.append("sections \(changes.sectionChanges) instead of \(sections)")
        }
        let ours = changes.rowChanges.map(\.comparable)
        let theirs = expected.rows.map(\.comparable)
        guard ours.count != theirs.count || Set(ours) != Set(theirs) else { return problems }
        let (extra, missing) = (Set(ours).subtracting(theirs), Set(theirs).subtracting(ours))
        return problems + ["extra \(extra)", "missing \(missing)"]
    }

    private func snapshot(_ mappings: Mappings, _ rows: [[Int]]) -> ListSnapshot {
        ListSnapshot(mappings) { name, index in
            ModelList.keys[rows[ModelList.names.firstIndex(of: name)!][index]]
        }
    }
}

extension RowChange {
    /// The change without what the law does not determine: whether a dependency is among the flags, and the flags of a
    /// row that only left the window.
    var comparable: RowChange {
        var copy = self
        copy.flags.remove(.dependency)
        if type == .delete, key == nil { copy.flags = [] }
        return copy
    }
}
