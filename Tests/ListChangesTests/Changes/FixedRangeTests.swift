import ListChanges
import Testing

/// A fixed range keeps its place; rows slide through it.
@Suite struct FixedRangeTests {
    private func scene(_ rows: String, length: Int, offset: Int, from pin: RangeOptions.Pin) -> Scene {
        Scene(["A": rows]) { $0.setRangeOptions(.fixed(length: length, offset: offset, from: pin), forGroup: "A") }
    }

    @Test func anInsertPushesTheLastRowOut() throws {
        var scene = scene("a b c d", length: 2, offset: 0, from: .beginning)
        scene.insert("x", in: "A", at: 1)
        #expect(
            try scene.changes() == """
                insert [0,1] x (object, metadata)
                delete [0,1] (object, metadata)
                """)
        #expect(scene.text == "A: a x")
    }

    @Test func aDeletePullsTheNextRowIn() throws {
        var scene = scene("a b c d", length: 2, offset: 0, from: .beginning)
        scene.delete("a")
        #expect(
            try scene.changes() == """
                delete [0,0] a (object, metadata)
                insert [0,1] (object, metadata)
                """)
    }

    @Test func rowsSlideAcrossTheEdgeNearThePin() throws {
        var scene = scene("a b c d", length: 2, offset: 1, from: .beginning)
        scene.insert("x", in: "A", at: 0)
        #expect(
            try scene.changes() == """
                delete [0,1] (object, metadata)
                insert [0,0] (object, metadata)
                """)
        #expect(scene.text == "A: a b")
    }

    @Test func pinnedToTheEndRowsLeaveFromTheFirstDownAndComeFromTheLastUp() throws {
        var scene = scene("a b c d e f", length: 2, offset: 2, from: .end)
        scene.insert("x", in: "A", at: 6)
        scene.insert("y", in: "A", at: 7)
        #expect(
            try scene.changes() == """
                delete [0,0] (object, metadata)
                delete [0,1] (object, metadata)
                insert [0,1] (object, metadata)
                insert [0,0] (object, metadata)
                """)
        #expect(scene.text == "A: e f")
    }

    @Test func aRangeThatWasCutGrowsBackToWhatWasAskedFor() throws {
        var scene = scene("a", length: 3, offset: 0, from: .beginning)
        for (index, row) in ["b", "c", "d"].enumerated() { scene.insert(row, in: "A", at: index + 1) }
        #expect(
            try scene.changes() == """
                insert [0,1] b (object, metadata)
                insert [0,2] c (object, metadata)
                """)
        #expect(scene.mappings.rangeOptions(forGroup: "A")?.length == 3)
    }

    @Test func aRowThatMovesOutOfTheWindowIsDeletedAndOneThatMovesInInserted() throws {
        var scene = scene("a b c d", length: 2, offset: 0, from: .beginning)
        scene.move("a", to: "A", at: 3)
        scene.move("d", to: "A", at: 0)
        #expect(
            try scene.changes() == """
                delete [0,0] a (object, metadata)
                insert [0,0] d (object, metadata)
                """)
    }

    @Test func anUpdatedRowThatSlidesOutIsDeletedAndOneThatSlidesInInserted() throws {
        var scene = scene("a b c", length: 1, offset: 1, from: .beginning)
        scene.update("b", .metadata)
        scene.update("c", .metadata)
        scene.delete("a")
        #expect(
            try scene.changes() == """
                delete [0,0] b (metadata)
                insert [0,0] c (object, metadata)
                """)
    }

    @Test func beyondTheGroupNothingIsShown() throws {
        var scene = scene("a b", length: 2, offset: 4, from: .end)
        #expect(scene.text == "A: ")
        scene.insert("x", in: "A", at: 0)
        #expect(try scene.changes() == "")
    }
}
