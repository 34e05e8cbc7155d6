import ListChanges
import Testing

@testable import AnimationLab
@testable import ChangeScenarios

@Suite struct GalleryDefectTests {
    /// The verdict on the other answer in the last step of each entry; the steps before it are right.
    private static let verdicts: [(name: String, text: String)] = [
        ("same-path", "the changes lead to 0 rows in section 0, and there are 1."),
        ("insert-and-move", "At [0,0] it shows Bob where Alice is."),
        ("range-to-range", "insert -> [0,1] does not fit, because the place is not there after the changes"),
        ("endless", "There is no answer"),
        ("fixed-offset", "At [0,0] it shows k5 where k3 is."),
        ("least-length", "insert -> [0,4] does not fit, because the place is not there after the changes"),
        ("section-of-a-range", "the changes lead to 1 section, and there are 0."),
        ("phantom-rows", "insert -> [0,1] does not fit, because the place is not there after the changes"),
        ("consolidation", "move [0,2] -> [0,1] does not fit, because the place is not there after the changes"),
        ("far-neighbours", "k1, at [1,1] before, is not named"),
        ("stale-sections", "the changes lead to 2 sections, and there are 1."),
        ("negative-reversed", "delete [0,-9223372036854775808] does not fit"),
    ]

    @Test(arguments: verdicts) func theOtherAnswerFailsAsTheTextSays(name: String, text: String) throws {
        let entry = try #require(Gallery.entry(named: name))
        let comparisons = try withScratchFolder { try entry.comparisons(in: $0) }
        let others = try comparisons.map { try #require($0.other) }
        #expect(others.dropLast().allSatisfy { $0.verdict == .exact })
        let last = try #require(others.last)
        #expect(last.verdict != .exact && last.verdict.text.contains(text), "\(last.verdict.text)")
    }

    @Test func everyOtherAnswerIsInTheTable() {
        let names = Gallery.entries.filter { $0.steps.contains { $0.other != nil } }.map(\.name)
        #expect(names == Self.verdicts.map(\.name))
    }

    @Test func aTableThatTakesTheTemptingAnswerShowsBobTwice() throws {
        let comparison = try lastComparison("insert-and-move")
        let keys = comparison.other?.rows?.sections.flatMap(\.rows).map(\.key)
        #expect(keys == ["Bob", "Dan", "Adam", "Bob"])
        #expect(comparison.other?.wrongPaths == [RowPath(section: 0, row: 0)])
    }

    @Test func theRowsThatSlideAreMarked() throws {
        let comparison = try lastComparison("fixed-offset")
        #expect(comparison.other?.rows?.sections[0].rows.map(\.key) == ["k5", "k1", "k7", "k7"])
        #expect(comparison.other?.wrongPaths == Set((0..<3).map { RowPath(section: 0, row: $0) }))
    }

    /// Computed from the rows, without our own change-set: the row two above k1 is a different one than before.
    @Test func theRowThatIsNotNamedHasAnotherNeighbour() throws {
        let entry = try #require(Gallery.entry(named: "far-neighbours"))
        var rows = ModelRows()
        rows.perform(entry.scenario.initial)
        let before = try #require(rows.groups["A"])
        entry.scenario.steps[0].commits.forEach { rows.perform($0) }
        let after = try #require(rows.groups["A"])
        func twoAbove(_ rows: [RowKey]) -> RowKey? {
            rows.firstIndex(of: .lab("k1")).flatMap { $0 >= 2 ? rows[$0 - 2] : nil }
        }
        #expect(twoAbove(before) == nil && twoAbove(after) == .lab("k3"))
    }

    private func lastComparison(_ name: String) throws -> Comparison {
        let entry = try #require(Gallery.entry(named: name))
        return try #require(withScratchFolder { try entry.comparisons(in: $0) }.last)
    }
}
