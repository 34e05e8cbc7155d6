import LiveTable

extension ChangeSet {
    /// Returns the changes, one a line and aligned: `move    [0,1] -> [1,0]  Bob  object, metadata`. Many changes are
    /// abbreviated.
    ///
    /// If the change-set does not know a row's key, the key is looked up in the lists and shown in brackets.
    func lines(from before: ListSnapshot, to after: ListSnapshot) -> [String] {
        if isEmpty { return ["(no changes)"] }
        let sections = sectionChanges.map { ["\($0.type)", "section \($0.index)", $0.group, ""] }
        let rows = rowChanges.map { change in
            let found = change.before.map { before[$0] } ?? change.after.map { after[$0] } ?? nil
            let name = change.key?.scenarioName ?? found.map { "(\($0.scenarioName))" } ?? "-"
            return ["\(change.type)", change.paths, name, change.flags.description]
        }
        let cells = sections + rows
        let widths = (0..<4).map { column in cells.map { $0[column].count }.max() ?? 0 }
        let lines = cells.map { cells in
            zip(cells, widths).map { $0.padded(to: $1) }.joined(separator: "  ").withoutTrailingBlanks
        }
        guard lines.count > Self.manyLines else { return lines }
        let left = lines.count - Self.firstLines - Self.lastLines
        return lines.prefix(Self.firstLines) + ["... \(left) more"] + lines.suffix(Self.lastLines)
    }

    private static let manyLines = 14
    private static let firstLines = 6
    private static let lastLines = 2
}

extension RowChange {
    /// `[0,1] -> [1,0]`; an insert has nothing before the arrow, a delete nothing after it.
    var paths: String {
        [before?.description, after.map { "-> \($0)" }].compactMap(\.self).joined(separator: " ")
    }
}
