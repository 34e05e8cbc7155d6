import ListChanges
import Testing

@Suite struct RangeOptionsTests {
    @Test func aLengthOutsideTheLimitsIsCutWhenTheyAreSet() throws {
        var long = try #require(RangeOptions.flexible(length: 50, offset: 0, from: .end))
        long.maxLength = 30
        var short = try #require(RangeOptions.flexible(length: 5, offset: 0, from: .end))
        short.minLength = 10
        #expect(long.length == 30 && short.length == 10)
        var mappings = Mappings(groups: ["A", "B", "C"])
        mappings.setRangeOptions(long, forGroup: "A")
        mappings.setRangeOptions(short, forGroup: "B")
        mappings.setRangeOptions(short.with(length: 2), forGroup: "C")
        mappings.update(counts: ["A": 100, "B": 100, "C": 100])
        let key = RowKey(collection: "", key: "k")
        let opened = ["A", "B", "C"].map { mappings.numberOfItems(inGroup: $0) }
        #expect(opened == [30, 10, 10])
        let log = ["A", "B", "C"].map { RawOperation.insertRow(group: $0, index: 0, key: key) }
        let after = try mappings.advanced(by: log).after
        #expect(["A", "B", "C"].map { after.numberOfItems(inGroup: $0) } == opened)
    }

    /// As MappingsAndRanges says.
    @Test(arguments: [RangeOptions.Pin.beginning, .end]) func aRangeBeyondTheEndShowsRowsIfItMust(pin: RangeOptions.Pin)
        throws
    {
        for least in [0, 3] {
            var range = try #require(RangeOptions.flexible(length: 5, offset: 2, from: pin))
            range.minLength = least
            var mappings = Mappings(groups: ["A"])
            mappings.setRangeOptions(range, forGroup: "A")
            mappings.update(counts: ["A": 1])
            for index in 1..<10 {
                let row = RawOperation.insertRow(
                    group: "A", index: index, key: RowKey(collection: "", key: "\(index)"))
                mappings = try mappings.advanced(by: [row]).after
            }
            #expect((mappings.numberOfItems(inGroup: "A") >= 3) == (least == 3))
        }
    }

    @Test func aRangeOfNothingIsNone() {
        #expect(RangeOptions.fixed(length: 0, offset: 1, from: .end) == nil)
        #expect(RangeOptions.flexible(length: -1, offset: 1, from: .end) == nil)
    }

    @Test func aFixedRangesLimitsAreItsLength() {
        var range = RangeOptions.fixed(length: 5, offset: 1, from: .end)!
        range.maxLength = 9
        range.minLength = 2
        #expect(range.isFixedRange && !range.isFlexibleRange)
        #expect((range.minLength, range.maxLength) == (5, 5))
    }

    @Test func aFlexibleRangeIsUnlimitedAndGrowsAtThePin() {
        let range = RangeOptions.flexible(length: 5, offset: -3, from: .beginning)!
        #expect((range.minLength, range.maxLength) == (0, .max))
        #expect(range.growOptions == .pinSide)
        #expect(range.offset == 0)
    }

    @Test func theLimitsNeverCross() {
        var range = RangeOptions.flexible(length: 5, offset: 0, from: .end)!
        range.minLength = 4
        range.maxLength = 2
        #expect((range.minLength, range.maxLength) == (4, 4))
        range.minLength = 9
        #expect((range.minLength, range.maxLength) == (4, 4))
    }

    @Test func copiesDifferInWhatIsNamed() {
        var range = RangeOptions.flexible(length: 5, offset: 2, from: .end)!
        range.maxLength = 7
        #expect(range.with(length: 3).length == 3)
        #expect(range.with(offset: 4).offset == 4)
        #expect(range.with(length: 3, offset: 4).maxLength == 7)
        #expect(range.with() == range)
    }

    @Test func backwardsTheOtherEndIsThePin() {
        let range = RangeOptions.flexible(length: 5, offset: 2, from: .end)!
        #expect(range.reversed.pin == .beginning)
        #expect(range.reversed.reversed == range)
    }
}
