import Testing

@testable import TableModel

@Suite struct RowHeightsTests {
    @Test func whatWasNotSeenIsAsTallAsTheAverageOfWhatWas() {
        var heights = RowHeights(rows: 1_000_000)
        #expect(heights.total == 1_000_000, "a line each, before anything is known")
        heights.measure(10, 1)
        heights.measure(20, 4)
        #expect(heights.average == 2.5)
        #expect(heights.total == 2_500_000)
        #expect(heights.lines(before: 10) == 25)
        #expect(heights.lines(before: 11) == 26)
        #expect(heights.lines(before: 30) == 10 * 2.5 + 1 + 9 * 2.5 + 4 + 9 * 2.5)
    }

    @Test func measuredHeightsStayWithTheirRows() {
        var heights = RowHeights(rows: 10)
        heights.measure(5, 3)
        heights.insert(2, at: 0)
        #expect(heights.lines(before: 8) - heights.lines(before: 7) == 3)
        heights.remove(4, at: 1)
        #expect(heights.lines(before: 4) - heights.lines(before: 3) == 3)
        heights.remove(1, at: 3)
        #expect(heights.total == 7, "nothing is known any more")
    }

    @Test func aLineBelongsToARow() throws {
        var heights = RowHeights(rows: 3)
        for (rank, height) in [1, 4, 2].enumerated() { heights.measure(rank, height) }
        let rows = [0.0, 1, 2, 4.5, 5, 6.5, 99, -3].compactMap { heights.row(atLine: $0) }
        #expect(rows.map(\.rank) == [0, 1, 1, 1, 2, 2, 2, 0])
        #expect(rows.map { ($0.part * 100).nearestInt } == [0, 0, 25, 88, 0, 75, 100, 0])
        #expect(RowHeights(rows: 0).row(atLine: 0) == nil)
    }

    @Test func rowsOfOneHeightAreOneRun() {
        var tree = RunTree()
        tree.append(HeightRun(rows: 100_000, height: nil))
        for rank in (0..<1000).map({ $0 * 7 % 1000 }) { tree.replace(rank, 1, with: HeightRun(rows: 1, height: 2)) }
        #expect(tree.count == 2)
    }

    @Test func memoryIsBounded() {
        var heights = RowHeights(rows: 10_000_000)
        for rank in 0..<60_000 { heights.measure(rank * 100, 1 + rank % 2) }
        #expect(heights.runs.count <= RowHeights.maxRuns + 2)
        #expect(heights.rows == 10_000_000)
    }

    /// Compares with a plain array of heights.
    @Test(arguments: 0..<20) func aPlainArrayAgrees(part: Int) {
        var random = SplitMix64(seed: 77 + UInt64(part))
        var heights = RowHeights(rows: 50)
        var plain: [Int?] = Array(repeating: nil, count: 50)
        for step in 0..<400 {
            let rank = random.below(plain.count + 1)
            switch random.below(6) {
            case 0:
                let count = random.below(4)
                heights.insert(count, at: rank)
                plain.insert(contentsOf: Array(repeating: nil, count: count), at: rank)
            case 1:
                let count = min(random.below(4), plain.count - rank)
                heights.remove(count, at: rank)
                plain.removeSubrange(rank..<rank + count)
            case 2 where rank < plain.count:
                heights.forget(rank)
                plain[rank] = nil
            case _ where rank < plain.count:
                let height = 1 + random.below(3)
                heights.measure(rank, height)
                plain[rank] = height
            default: break
            }
            guard agree(heights, plain) else {
                Issue.record("seed \(77 + part), step \(step): \(plain) is \(heights)")
                return
            }
        }
    }

    private func agree(_ heights: RowHeights, _ plain: [Int?]) -> Bool {
        let known = plain.compactMap(\.self)
        let average = known.isEmpty ? 1 : Double(known.reduce(0, +)) / Double(known.count)
        var line = 0.0
        for (rank, height) in plain.enumerated() {
            guard abs(heights.lines(before: rank) - line) < 1e-6 else { return false }
            let end = line + (height.map(Double.init) ?? average)
            guard heights.row(atLine: line)?.rank == rank, heights.row(atLine: (line + end) / 2)?.rank == rank else {
                return false
            }
            line = end
        }
        return heights.rows == plain.count && abs(heights.total - line) < 1e-6
    }
}
