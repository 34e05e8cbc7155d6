import LiveTable

extension ListSnapshot {
    /// Returns the sections and rows with their positions, one a line: `  [0,1] k7`. Long sections are abbreviated.
    ///
    /// - Parameters:
    ///   - notable: positions that are always shown, unless they are many.
    ///   - wrong: positions that get a mark; in a long section they too are shown unless they are many.
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

    /// A section with more rows is abbreviated; the second number is how many rows it shows at each end.
    private static let fewRows = 12
    private static let endRows = 2
    private static let maxNotable = 8

    /// Returns the rows of a section as ranges: each shown row is a range of its own, and the rows between are left out
    /// together.
    private static func shown(
        _ count: Int, _ notable: Set<RowPath>, _ wrong: Set<RowPath>, _ section: Int
    ) -> [Range<Int>] {
        guard count > fewRows else { return (0..<count).map { $0..<$0 + 1 } }
        let named = [notable, wrong].flatMap { paths in
            let rows = paths.filter { $0.section == section }.map(\.row)
            return rows.count > maxNotable ? [] : rows
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
