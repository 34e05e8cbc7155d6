import FileReading
import LiveTable
import Testing

@testable import Browser

/// Trees before and after commits: applied to the one, the changes give the other.
@MainActor @Suite struct TreeChangesTests {
    @Test func theLawOfChangeSetsHoldsForTrees() throws {
        try withFile("json") { path in
            let catalog = try BrowsedFile(path: path).snapshot.catalog()
            var seed: UInt64 = 7
            func random(_ count: Int) -> Int {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(seed >> 33) % count
            }
            var before = TreeSections(TreeKnowledge(catalog), open: [])
            for step in 0..<200 {
                var known = TreeKnowledge(catalog, notes: random(3) == 0 ? ["A note"] : [])
                known.catalog.collections = (0..<random(6)).map { _ in StoredText("c\(random(9))") }.sorted()
                known.catalog.collections = Array(Set(known.catalog.collections)).sorted()
                for name in known.catalog.collections { known.record(RowCount(random(3)), of: name) }
                if random(2) == 0 { known.catalog.views = [] }
                let after = TreeSections(known, open: random(2) == 0 ? [.index("idx")] : [])
                var table = Table(options: TableOptions(motion: .full))
                table.resize(width: 30, height: 20, source: TreeSource(rows: before, theme: Theme()), at: 0)
                let misfit = table.apply(
                    before.changes(to: after), source: TreeSource(rows: after, theme: Theme()), at: Double(step))
                #expect(misfit == nil, "step \(step)")
                before = after
            }
        }
    }
}
