import ListChanges
import Testing

@Suite struct MappingsLookupTests {
    /// A: rows 6 and 5 of ten, backwards; B: hidden because it is empty; C: all three rows.
    private var mappings: Mappings {
        var mappings = Mappings(groups: ["A", "B", "C"])
        mappings.setIsDynamicSectionForAllGroups(true)
        mappings.setRangeOptions(.fixed(length: 2, offset: 3, from: .end), forGroup: "A")
        mappings.setIsReversed(true, forGroup: "A")
        mappings.update(counts: ["A": 10, "B": 0, "C": 3])
        return mappings
    }

    private var consolidated: Mappings {
        var consolidated = mappings
        consolidated.setAutoConsolidateGroupsThreshold(9, withName: "all")
        consolidated.update(counts: ["A": 10, "B": 0, "C": 3])
        return consolidated
    }

    @Test func sectionsAreTheGroupsThatShowRows() {
        #expect(mappings.visibleGroups == ["A", "C"])
        #expect(mappings.numberOfSections == 2)
        #expect(
            (mappings.group(forSection: 1), mappings.group(forSection: 2), mappings.group(forSection: -1)) == (
                "C", nil, nil
            ))
        #expect((mappings.section(forGroup: "C"), mappings.section(forGroup: "B")) == (1, nil))
        #expect((mappings.numberOfItems(inSection: 0), mappings.numberOfItems(inSection: 5)) == (2, 0))
        #expect((mappings.numberOfItems(inGroup: "A"), mappings.fullCount(inGroup: "A")) == (2, 10))
        #expect(mappings.numberOfItemsInAllGroups == 5)
        #expect(!mappings.isEmpty && !mappings.isUsingConsolidatedGroup)
    }

    @Test func consolidatedThereIsOneSectionWithAllRows() {
        #expect(consolidated.visibleGroups == ["all"])
        #expect(consolidated.isUsingConsolidatedGroup)
        #expect((consolidated.group(forSection: 0), consolidated.group(forSection: 1)) == ("all", nil))
        #expect((consolidated.numberOfItems(inSection: 0), consolidated.numberOfItems(inGroup: "all")) == (5, 5))
        #expect(consolidated.numberOfItems(inGroup: "C") == 3)
        #expect((consolidated.section(forGroup: "C"), consolidated.section(forGroup: "all")) == (0, 0))
        #expect(consolidated.section(forGroup: "B") == nil)
    }

    @Test(arguments: [false, true])
    func pathsAndIndexesAreEachOthersInverse(isConsolidated: Bool) throws {
        let mappings = isConsolidated ? consolidated : mappings
        for section in 0..<mappings.numberOfSections {
            for row in 0..<mappings.numberOfItems(inSection: section) {
                let path = RowPath(section: section, row: row)
                let place = try #require(mappings.groupAndIndex(at: path))
                #expect(mappings.path(forIndex: place.index, inGroup: place.group) == path)
                #expect(mappings.index(forRow: row, inSection: section) == place.index)
                let rowInGroup = try #require(mappings.row(forIndex: place.index, inGroup: place.group))
                #expect(mappings.index(forRow: rowInGroup, inGroup: place.group) == place.index)
            }
        }
    }

    @Test func aReversedWindowCountsFromItsEnd() {
        #expect((mappings.index(forRow: 0, inGroup: "A"), mappings.index(forRow: 1, inGroup: "A")) == (6, 5))
        #expect(mappings.path(forIndex: 5, inGroup: "A") == RowPath(section: 0, row: 1))
        #expect(consolidated.path(forIndex: 0, inGroup: "C") == RowPath(section: 0, row: 2))
        #expect(consolidated.index(forRow: 2, inGroup: "all") == 0)
    }

    @Test func whatIsNotShownHasNoPlace() {
        #expect(mappings.index(forRow: 2, inGroup: "A") == nil)
        #expect(mappings.index(forRow: -1, inGroup: "A") == nil)
        #expect(mappings.path(forIndex: 7, inGroup: "A") == nil)
        #expect(mappings.path(forIndex: 0, inGroup: "B") == nil)
        #expect(mappings.row(forIndex: 0, inGroup: "Z") == nil)
        #expect(mappings.groupAndIndex(at: RowPath(section: 0, row: 2)) == nil)
        #expect(mappings.groupAndIndex(at: RowPath(section: 9, row: 0)) == nil)
        #expect(consolidated.groupAndIndex(at: RowPath(section: 1, row: 0)) == nil)
        #expect(consolidated.groupAndIndex(at: RowPath(section: 0, row: 5)) == nil)
        #expect(consolidated.index(forRow: -1, inSection: 0) == nil)
    }

    @Test func aRangePositionIsInScreenOrder() {
        #expect(
            mappings.rangePosition(forGroup: "A")
                == RangePosition(offsetFromBeginning: 3, offsetFromEnd: 5, length: 2))
        #expect(
            mappings.rangePosition(forGroup: "C")
                == RangePosition(offsetFromBeginning: 0, offsetFromEnd: 0, length: 3))
        #expect(mappings.rangePosition(forGroup: "Z").length == 0)
        var beyond = Mappings(groups: ["A"])
        beyond.setRangeOptions(.fixed(length: 2, offset: 5, from: .beginning), forGroup: "A")
        beyond.update(counts: ["A": 3])
        #expect(
            beyond.rangePosition(forGroup: "A")
                == RangePosition(offsetFromBeginning: 3, offsetFromEnd: 0, length: 0))
    }

    @Test(arguments: [
        (1, "A", RowPath(section: 0, row: 1)), (7, "A", RowPath(section: 0, row: 1)),
        (0, "B", RowPath(section: 0, row: 1)), (-3, "C", RowPath(section: 1, row: 0)),
    ])
    func theNearestRowIsInTheSameGroupOrTheClosestAboveIt(row: Int, group: String, expected: RowPath) {
        #expect(mappings.nearestPath(forRow: row, inGroup: group) == expected)
    }

    @Test func theNearestRowMayBeBelow() {
        var mappings = Mappings(groups: ["A", "B"])
        mappings.update(counts: ["A": 0, "B": 2])
        #expect(mappings.nearestPath(forRow: 4, inGroup: "A") == RowPath(section: 1, row: 0))
        #expect(mappings.nearestPath(forRow: 4, inGroup: "Z") == nil)
        mappings.update(counts: [:])
        #expect(mappings.nearestPath(forRow: 4, inGroup: "A") == nil)
    }

    @Test func theNearestRowIsFoundInTheConsolidatedSectionToo() {
        #expect(consolidated.nearestPath(forRow: 9, inGroup: "C") == RowPath(section: 0, row: 4))
        #expect(consolidated.nearestPath(forRow: 0, inGroup: "B") == RowPath(section: 0, row: 1))
    }
}
