import ListChanges
import Testing

/// A flexible range keeps its rows while others come and go.
@Suite struct FlexibleRangeTests {
    private func scene(
        _ rows: String, length: Int, offset: Int = 0, from pin: RangeOptions.Pin,
        grow: RangeOptions.GrowOptions = .pinSide, min: Int = 0, max: Int = .max
    ) -> Scene {
        var range = RangeOptions.flexible(length: length, offset: offset, from: pin)
        range?.growOptions = grow
        range?.maxLength = max
        range?.minLength = min
        return Scene(["A": rows]) { $0.setRangeOptions(range, forGroup: "A") }
    }

    private func range(_ scene: Scene) -> String {
        let range = scene.mappings.rangeOptions(forGroup: "A")!
        return "\(range.length) at \(range.offset) from \(range.pin)"
    }

    @Test func aNewMessageAtTheEndJoins() throws {
        var scene = scene("a b c d", length: 2, from: .end)
        scene.insert("x", in: "A", at: 4)
        #expect(try scene.changes() == "insert [0,2] x (object, metadata)")
        #expect(range(scene) == "3 at 0 from end")
    }

    @Test func olderMessagesShiftTheWindowSilently() throws {
        var scene = scene("a b c d", length: 2, from: .end)
        scene.insert("x", in: "A", at: 0)
        scene.insert("y", in: "A", at: 3)
        #expect(try scene.changes() == "")
        #expect(scene.text == "A: c d")
    }

    @Test func whileScrolledBackANewMessageLiesBeyondTheEdge() throws {
        var scene = scene("a b c d", length: 2, offset: 1, from: .end)
        scene.insert("x", in: "A", at: 4)
        #expect(try scene.changes() == "")
        #expect(range(scene) == "2 at 2 from end")
    }

    @Test func insideTheWindowRowsComeAndGo() throws {
        var scene = scene("a b c d", length: 2, offset: 1, from: .beginning)
        scene.insert("x", in: "A", at: 2)
        scene.delete("b")
        #expect(
            try scene.changes() == """
                insert [0,0] x (object, metadata)
                delete [0,0] b (object, metadata)
                """)
        #expect(range(scene) == "2 at 1 from beginning")
    }

    @Test(arguments: [
        (RangeOptions.GrowOptions.pinSide, "x b c"), (.nonPinSide, "b c y"), (.onBothSides, "x b c y"),
        (.inRangeOnly, "b c"),
    ])
    func growOptionsSayAtWhichEdgesRowsJoin(grow: RangeOptions.GrowOptions, rows: String) throws {
        var scene = scene("a b c d", length: 2, offset: 1, from: .beginning, grow: grow)
        scene.insert("x", in: "A", at: 1)
        scene.insert("y", in: "A", at: 4)
        _ = try scene.changes()
        #expect(scene.text == "A: \(rows)")
    }

    @Test(arguments: [
        (RangeOptions.GrowOptions.pinSide, "b c y"), (.nonPinSide, "x b c"), (.onBothSides, "x b c y"),
        (.inRangeOnly, "b c"),
    ])
    func pinnedToTheEndTheSidesAreTheOtherWayRound(grow: RangeOptions.GrowOptions, rows: String) throws {
        var scene = scene("a b c d", length: 2, offset: 1, from: .end, grow: grow)
        scene.insert("x", in: "A", at: 1)
        scene.insert("y", in: "A", at: 4)
        _ = try scene.changes()
        #expect(scene.text == "A: \(rows)")
    }

    @Test func aWindowThatWasEverEmptyGrowsOnBothSidesForTheRestOfTheLog() throws {
        var scene = scene("a", length: 1, from: .beginning, grow: .inRangeOnly)
        scene.delete("a")
        scene.insert("x", in: "A", at: 0)
        scene.insert("y", in: "A", at: 1)
        scene.insert("z", in: "A", at: 0)
        _ = try scene.changes()
        #expect(scene.text == "A: z x y")
    }

    @Test func aboveTheMaximumRowsAreDroppedAwayFromThePin() throws {
        var scene = scene("a b c", length: 2, from: .end, max: 3)
        scene.insert("x", in: "A", at: 3)
        scene.insert("y", in: "A", at: 4)
        #expect(
            try scene.changes() == """
                insert [0,1] x (object, metadata)
                insert [0,2] y (object, metadata)
                delete [0,0] (object, metadata)
                """)
        #expect(scene.text == "A: c x y")
    }

    @Test func belowTheMinimumRowsAreTakenFromThePinSideFirst() throws {
        var scene = scene("a b c d e", length: 3, offset: 1, from: .beginning, min: 3)
        scene.delete("b")
        #expect(
            try scene.changes() == """
                delete [0,0] b (object, metadata)
                insert [0,0] (object, metadata)
                """)
        #expect(scene.text == "A: a c d")
        #expect(range(scene) == "3 at 0 from beginning")
    }

    @Test func theMinimumCannotBeMoreThanThereIs() throws {
        var scene = scene("a b", length: 1, from: .end, min: 5)
        #expect(scene.text == "A: a b")
        scene.delete("a")
        #expect(try scene.changes() == "delete [0,0] a (object, metadata)")
        #expect(scene.text == "A: b")
    }

    @Test func aResetEmptiesTheWindowAndWhatComesThenJoins() throws {
        var scene = scene("a b c d", length: 2, offset: 1, from: .end, grow: .inRangeOnly)
        scene.reset("A")
        scene.insert("x", in: "A", at: 0)
        #expect(
            try scene.changes() == """
                insert [0,0] x (object, metadata)
                delete [0,1] (object, metadata)
                delete [0,0] (object, metadata)
                """)
    }
}
