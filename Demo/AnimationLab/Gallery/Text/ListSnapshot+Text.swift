import LiveTable

extension ListSnapshot {
    /// The sections and rows with their positions, one a line: `  [0,1] k7`. Long sections are shortened.
    ///
    /// - Parameters:
    ///   - notable: positions that are shown as long as they are few.
    ///   - wrong: positions that get a mark; in a long section they too are shown as long as they are few.
    func lines(notable: Set<RowPath> = [], wrong: Set<RowPath> = []) -> [String] {
        if sections.isEmpty { return ["(no sections)"] }
        return sections.enumerated().flatMap { section, content in
            [content.group]
                + Self.shown(content.rows.count, notable, wrong, section).map { run in
                    guard run.count == 1 else { return "  ... \(run.count) rows" }
                    let path = RowPath(section: section, row: run.lowerBound)
                    return
                        "\(wrong.contains(path) ? "! " : "  ")\(path) \(content.rows[run.lowerBound].scenarioName)"
                }
        }
    }

    /// Rows beyond which a section is shortened, and how many are shown at each end of it then.
    private static let fewRows = 12
    private static let endRows = 2
    private static let mostNotable = 8

    /// The rows of a section in runs: a row that is shown is a run of its own, the others between are left out together.
    private static func shown(
        _ count: Int, _ notable: Set<RowPath>, _ wrong: Set<RowPath>, _ section: Int
    ) -> [Range<Int>] {
        guard count > fewRows else { return (0..<count).map { $0..<$0 + 1 } }
        let named = [notable, wrong].flatMap { paths in
            let rows = paths.filter { $0.section == section }.map(\.row)
            return rows.count > mostNotable ? [] : rows
        }
        var runs: [Range<Int>] = []
        var next = 0
        for row in Set(Array(0..<endRows) + named + Array(count - endRows..<count)).sorted() {
            if row > next { runs.append(next..<row) }
            runs.append(row..<row + 1)
            next = row + 1
        }
        return runs
    }
}
