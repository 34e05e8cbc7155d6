/// The heights of the rows of a list in lines: measured for those that were on the screen, their average for all
/// others.
///
/// Rows are identified by rank, their number among all rows. Every operation costs O(log m) for the m measured runs of
/// equal height, whatever the number of rows; memory is proportional to m.
struct RowHeights: Hashable, Sendable {
    /// With more runs, all are dropped and heights are estimated again: a megabyte is enough for a scroll bar.
    static let maxRuns = 20_000

    private(set) var runs = RunTree()

    /// Creates the heights of unmeasured rows.
    init(rows: Int = 0) { runs.append(HeightRun(rows: rows, height: nil)) }

    var rows: Int { runs.sum.rows }

    /// The height of an unmeasured row; 1 before any was measured.
    var average: Double { runs.sum.measured > 0 ? Double(runs.sum.lines) / Double(runs.sum.measured) : 1 }

    /// The lines of all rows.
    var total: Double { runs.sum.lines(average) }

    /// Records the height of a row.
    mutating func measure(_ rank: Int, _ height: Int) {
        if runs.height(of: rank) == height { return }
        if runs.count >= Self.maxRuns { self = RowHeights(rows: rows) }
        runs.replace(rank, 1, with: HeightRun(rows: 1, height: height))
    }

    /// Marks a row as unmeasured because its content changed.
    mutating func forget(_ rank: Int) {
        if runs.height(of: rank) != nil { runs.replace(rank, 1, with: HeightRun(rows: 1, height: nil)) }
    }

    mutating func insert(_ count: Int, at rank: Int) {
        runs.replace(rank, 0, with: HeightRun(rows: count, height: nil))
    }

    mutating func remove(_ count: Int, at rank: Int) { runs.replace(rank, count, with: nil) }

    /// Returns the lines of all rows before a row.
    func lines(before rank: Int) -> Double { runs.sum(before: rank).lines(average) }

    /// Returns the row at a line counted from the first row, and the part of the row, from 0 to 1, above the line. The
    /// nearest row for a line outside; nil without rows.
    func row(atLine line: Double) -> (rank: Int, part: Double)? {
        rows > 0 ? runs.row(atLine: line, average) : nil
    }
}

/// Neighbouring rows of one height.
struct HeightRun: Hashable, Sendable {
    var rows: Int
    /// Nil for unmeasured rows.
    var height: Int?

    var sum: HeightSum {
        HeightSum(rows: rows, measured: height == nil ? 0 : rows, lines: rows * (height ?? 0))
    }
}

/// The sums of some runs.
struct HeightSum: Hashable, Sendable {
    var rows = 0
    /// The number of measured rows, and their lines.
    var measured = 0
    var lines = 0

    func lines(_ average: Double) -> Double { Double(lines) + Double(rows - measured) * average }

    static func + (a: HeightSum, b: HeightSum) -> HeightSum {
        HeightSum(rows: a.rows + b.rows, measured: a.measured + b.measured, lines: a.lines + b.lines)
    }
}
