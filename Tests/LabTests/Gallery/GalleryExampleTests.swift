import ListChanges
import Testing

@testable import AnimationLab

/// The numbers of the examples are those of the documentation.
@Suite struct GalleryExampleTests {
    @Test func theRosterHasTwoDynamicSectionsAndAStaticOne() throws {
        let steps = try comparisons("roster")
        #expect(
            steps.map { $0.after.shown.sections.map(\.group) } == [
                ["available", "away", "offline"], ["available", "away", "offline"], ["available", "offline"],
                ["offline"], ["offline"],
            ])
        #expect(
            steps[0].ours.changes.description == """
                insert section 1 away
                move [0,1] -> [1,0] c/Bob (object, metadata)
                """)
    }

    @Test func theLastMessagesGrowShrinkAndAreCut() throws {
        let steps = try comparisons("last-50-messages")
        #expect(steps[0].before.shown.sections[0].rows.count == 50)
        #expect(steps.map { $0.after.shown.sections[0].rows.count } == [51, 51, 20, 300])
        #expect(steps[1].ours.changes.isEmpty)
    }

    @Test func aScrolledBackRangeStaysPut() throws {
        let steps = try comparisons("scrolled-back")
        let first = steps[0].before.shown.sections[0].rows
        #expect(first.first == .lab("item 25") && first.last == .lab("item 74") && first.count == 50)
        #expect(steps[0].after.mappings.rangeOptions(forGroup: "books")?.offset == 26)
        #expect(steps[0].ours.changes.isEmpty && steps[1].ours.changes.isEmpty)
        #expect(steps[2].ours.changes.rowChanges.map(\.type) == [.delete])
    }

    @Test func theTopBooksAreTwenty() throws {
        let steps = try comparisons("top-20-books")
        #expect(steps.allSatisfy { $0.after.shown.sections[0].rows.count == 20 })
        #expect(steps[0].ours.changes.rowChanges.map(\.type) == [.insert, .delete])
        #expect(steps[3].ours.changes.isEmpty)
    }

    @Test func bothWaysToReverseShowTheSame() throws {
        let steps = try comparisons("reversed-sales-rank")
        #expect(steps[0].before.shown.sections[0].rows.map(\.key) == (6...25).reversed().map { "book \($0)" })
        #expect(steps[1].before.shown == steps[0].after.shown && steps[1].ours.changes.isEmpty)
    }

    @Test func theDeletedHiHasTheRowBelowItDrawnAgain() throws {
        let changes = try comparisons("hi")[0].ours.changes
        #expect(
            changes.description == """
                delete [0,1] c/Hi (object, metadata)
                update [0,2] -> [0,1] (dependency)
                """)
    }

    private func comparisons(_ name: String) throws -> [Comparison] {
        let entry = try #require(Gallery.entry(named: name))
        return try withScratchFolder { try entry.comparisons(in: $0) }
    }
}
