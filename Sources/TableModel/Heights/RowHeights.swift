/// The lines that the rows of a list take: measured for those that were on the screen, for all others the average of these.
///
/// Rows are known by rank, their number among all rows. Everything costs O(log m) for the m runs of equal height that were
/// seen, whatever the number of rows; memory is in proportion to m.
struct RowHeights: Hashable, Sendable {
    /// With more runs everything is estimated again but what is measured next: a megabyte is enough for a scroll bar.
    static let mostRuns = 20_000

    private(set) var runs = RunTree()

    /// Rows of which nothing is known.
    init(rows: Int = 0) { runs.append(HeightRun(rows: rows, height: nil)) }

    var rows: Int { runs.sum.rows }

    /// The lines of a row that was never seen; 1 before any was.
    var average: Double { runs.sum.measured > 0 ? Double(runs.sum.lines) / Double(runs.sum.measured) : 1 }

    /// The lines of all rows.
    var total: Double { runs.sum.lines(average) }

    /// Notes how tall a row is.
    mutating func measure(_ rank: Int, _ height: Int) {
        if runs.height(of: rank) == height { return }
        if runs.count >= Self.mostRuns { self = RowHeights(rows: rows) }
        runs.replace(rank, 1, with: HeightRun(rows: 1, height: height))
    }

    /// Takes a row for unmeasured, because its content changed.
    mutating func forget(_ rank: Int) {
        if runs.height(of: rank) != nil { runs.replace(rank, 1, with: HeightRun(rows: 1, height: nil)) }
    }

    mutating func insert(_ count: Int, at rank: Int) {
        runs.replace(rank, 0, with: HeightRun(rows: count, height: nil))
    }

    mutating func remove(_ count: Int, at rank: Int) { runs.replace(rank, count, with: nil) }

    /// The lines of all rows in front of one.
    func lines(before rank: Int) -> Double { runs.sum(before: rank).lines(average) }

    /// The row at a line counted from the first row, and how much of the row, from 0 to 1, is above the line. The nearest
    /// row for a line outside; nil without rows.
    func row(atLine line: Double) -> (rank: Int, part: Double)? {
        rows > 0 ? runs.row(atLine: line, average) : nil
    }
}

/// Neighbouring rows of one height.
struct HeightRun: Hashable, Sendable {
    var rows: Int
    /// nil for rows that were not measured.
    var height: Int?

    var sum: HeightSum {
        HeightSum(rows: rows, measured: height == nil ? 0 : rows, lines: rows * (height ?? 0))
    }
}

/// What some runs amount to.
struct HeightSum: Hashable, Sendable {
    var rows = 0
    /// The rows that were measured, and their lines.
    var measured = 0
    var lines = 0

    func lines(_ average: Double) -> Double { Double(lines) + Double(rows - measured) * average }

    static func + (a: HeightSum, b: HeightSum) -> HeightSum {
        HeightSum(rows: a.rows + b.rows, measured: a.measured + b.measured, lines: a.lines + b.lines)
    }
}
