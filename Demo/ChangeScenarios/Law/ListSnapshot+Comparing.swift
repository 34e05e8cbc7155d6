import YapDatabase

extension ListSnapshot {
    /// Returns the first difference from the expected list as a sentence; nil if there is none.
    package func firstDifference(from expected: ListSnapshot) -> String? {
        guard sections.map(\.group) == expected.sections.map(\.group) else {
            return "it leads to the sections \(sections.map(\.group)) instead of \(expected.sections.map(\.group))"
        }
        for (section, (ours, theirs)) in zip(sections, expected.sections).enumerated() {
            guard ours.rows.count == theirs.rows.count else {
                return "it leads to \(ours.rows.count) rows in \(ours.group) instead of \(theirs.rows.count)"
            }
            for (row, (key, expected)) in zip(ours.rows, theirs.rows).enumerated() where key != expected {
                let path = RowPath(section: section, row: row)
                return "it puts \(key.scenarioName) at \(path) instead of \(expected.scenarioName)"
            }
        }
        return nil
    }
}
