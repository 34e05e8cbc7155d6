import ListChanges
import Testing

@Suite struct MappingsSetupTests {
    @Test func lastTwentyThenReversedIsReversedThenFirstTwenty() {
        var one = Mappings(groups: ["A"])
        one.setRangeOptions(.fixed(length: 20, offset: 3, from: .end), forGroup: "A")
        one.setIsReversed(true, forGroup: "A")
        var other = Mappings(groups: ["A"])
        other.setIsReversed(true, forGroup: "A")
        other.setRangeOptions(.fixed(length: 20, offset: 3, from: .beginning), forGroup: "A")
        one.update(counts: ["A": 100])
        other.update(counts: ["A": 100])
        #expect(one == other)
        #expect(one.index(forRow: 0, inGroup: "A") == 96)
        #expect(one.rangeOptions(forGroup: "A")?.pin == .beginning)
    }

    @Test func beforeTheFirstUpdateARangeHasTheLengthThatWasAskedFor() {
        var mappings = Mappings(groups: ["A"])
        mappings.setRangeOptions(.fixed(length: 20, offset: 0, from: .end), forGroup: "A")
        #expect(mappings.rangeOptions(forGroup: "A")?.length == 20)
        #expect(mappings.numberOfItems(inGroup: "A") == 0)
        mappings.update(counts: ["A": 5])
        #expect(mappings.rangeOptions(forGroup: "A")?.length == 5)
        #expect(mappings.rangeOptions(forGroup: "A")?.maxLength == 20)
    }

    @Test func afterTheFirstUpdateARangeIsCutAtOnce() {
        var mappings = Mappings(groups: ["A"])
        mappings.update(counts: ["A": 5])
        mappings.setRangeOptions(.flexible(length: 20, offset: 2, from: .end), forGroup: "A")
        #expect(mappings.numberOfItems(inGroup: "A") == 3)
        mappings.removeRangeOptions(forGroup: "A")
        #expect(mappings.numberOfItems(inGroup: "A") == 5)
        #expect(mappings.rangeOptions(forGroup: "A") == nil)
    }

    @Test func dependenciesAreGivenBackAsTheyWereSet() {
        var mappings = Mappings(groups: ["A"])
        mappings.setIsReversed(true, forGroup: "A")
        mappings.setCellDrawingDependencyOffsets([-1, 0, 2], forGroup: "A")
        #expect(mappings.cellDrawingDependencyOffsets(forGroup: "A") == [-1, 2])
        mappings.setIsReversed(false, forGroup: "A")
        #expect(mappings.cellDrawingDependencyOffsets(forGroup: "A") == [1, -2])
        #expect(mappings.cellDrawingDependencyOffsets(forGroup: "B") == [])
    }

    @Test func whatIsSetIsGivenBack() {
        var mappings = Mappings(groups: ["A", "A", "B"])
        #expect(mappings.allGroups == ["A", "B"])
        mappings.setIsDynamicSection(true, forGroup: "A")
        mappings.setIsDynamicSectionForAllGroups(true)
        mappings.setAutoConsolidateGroupsThreshold(7, withName: "all")
        #expect(mappings.isDynamicSection(forGroup: "A") && !mappings.isDynamicSection(forGroup: "B"))
        #expect(mappings.isDynamicSectionForAllGroups)
        #expect(mappings.autoConsolidateGroupsThreshold == 7 && mappings.consolidatedGroupName == "all")
        mappings.setAutoConsolidateGroupsThreshold(0, withName: "all")
        #expect(mappings.consolidatedGroupName == nil)
    }

    @Test func aSecondUpdateKeepsAFlexibleWindowWhereItIs() {
        var mappings = Mappings(groups: ["A", "B"])
        mappings.setRangeOptions(.flexible(length: 3, offset: 1, from: .end), forGroup: "A")
        mappings.setRangeOptions(.fixed(length: 3, offset: 0, from: .beginning), forGroup: "B")
        mappings.update(counts: ["A": 9, "B": 1])
        mappings.update(counts: ["A": 20, "B": 8])
        #expect(mappings.rangePosition(forGroup: "A").offsetFromEnd == 1)
        #expect(mappings.numberOfItems(inGroup: "A") == 3)
        #expect(mappings.numberOfItems(inGroup: "B") == 3)
        mappings.update(counts: ["A": 2])
        #expect(mappings.numberOfItems(inGroup: "A") == 1)
        #expect(mappings.numberOfItems(inGroup: "B") == 0)
    }

    @Test func aSecondUpdateOpensAFlexibleWindowThatShowedNothing() {
        var mappings = Mappings(groups: ["A"])
        mappings.setRangeOptions(.flexible(length: 3, offset: 0, from: .end), forGroup: "A")
        mappings.update(counts: [:])
        mappings.update(counts: ["A": 9])
        #expect(mappings.numberOfItems(inGroup: "A") == 3)
    }

    @Test func beforeTheFirstUpdateThereIsNothing() {
        let mappings = Mappings(groups: ["A"])
        #expect(!mappings.isUpdated && mappings.isEmpty)
        #expect(mappings.numberOfSections == 0 && mappings.visibleGroups == [])
        #expect(mappings.nearestPath(forRow: 0, inGroup: "A") == nil)
    }
}
