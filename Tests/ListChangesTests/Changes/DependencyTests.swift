import ListChanges
import Testing

/// A cell that depends on a neighbour is reported when the neighbour is a different row or has changed.
@Suite struct DependencyTests {
    private func scene(_ rows: String, _ offsets: Set<Int>) -> Scene {
        Scene(["A": rows]) { $0.setCellDrawingDependencyOffsets(offsets, forGroup: "A") }
    }

    @Test func theRowAfterADeletedOneIsUpdated() throws {
        var scene = scene("a b c d", [-1])
        scene.delete("b")
        #expect(
            try scene.changes() == """
                delete [0,1] b (object, metadata)
                update [0,2] -> [0,1] (dependency)
                """)
    }

    @Test func theRowBeforeAnInsertedOneIsUpdatedIfItLooksAhead() throws {
        var scene = scene("a b c", [1])
        scene.insert("x", in: "A", at: 1)
        #expect(
            try scene.changes() == """
                insert [0,1] x (object, metadata)
                update [0,0] -> [0,0] (dependency)
                """)
    }

    @Test func theNeighbourOfAnUpdatedRowIsUpdated() throws {
        var scene = scene("a b c", [-1])
        scene.update("a", .metadata)
        #expect(
            try scene.changes() == """
                update [0,0] -> [0,0] a (metadata)
                update [0,1] -> [0,1] (dependency)
                """)
    }

    @Test func aRowThatLosesItsNeighbourIsUpdated() throws {
        var scene = scene("a b", [-1])
        scene.delete("a")
        #expect(
            try scene.changes() == """
                delete [0,0] a (object, metadata)
                update [0,1] -> [0,0] (dependency)
                """)
    }

    @Test func aRowTwoAwayIsNotMissed() throws {
        var scene = scene("a b c d e", [-2])
        scene.delete("b")
        #expect(
            try scene.changes() == """
                delete [0,1] b (object, metadata)
                update [0,2] -> [0,1] (dependency)
                update [0,3] -> [0,2] (dependency)
                """)
    }

    @Test func aNeighbourThatCameAndWentDoesNotCount() throws {
        var scene = scene("a b", [-1, 1])
        scene.insert("x", in: "A", at: 1)
        scene.delete("x")
        #expect(try scene.changes() == "")
    }

    @Test func theNeighbourMayBeOutsideTheWindow() throws {
        var scene = scene("a b c", [-1])
        scene.setUp { $0.setRangeOptions(.fixed(length: 2, offset: 0, from: .end), forGroup: "A") }
        scene.update("a")
        #expect(try scene.changes() == "update [0,0] -> [0,0] (dependency)")
    }

    /// c drew a header, because nothing stood above it on the screen.
    @Test func aRowThatSlidesIntoTheWindowChangesTheCellBelow() throws {
        var scene = scene("a b c d e", [-1])
        scene.setUp { $0.setRangeOptions(.fixed(length: 3, offset: 0, from: .end), forGroup: "A") }
        scene.delete("e")
        #expect(
            try scene.changes() == """
                delete [0,2] e (object, metadata)
                insert [0,0] (object, metadata)
                update [0,0] -> [0,1] (dependency)
                """)
    }

    @Test func aRowThatSlidesOutOfTheWindowChangesTheCellBelow() throws {
        var scene = scene("a b c d e", [-1])
        scene.setUp { $0.setRangeOptions(.fixed(length: 3, offset: 0, from: .end), forGroup: "A") }
        scene.insert("f", in: "A", at: 5)
        #expect(
            try scene.changes() == """
                insert [0,2] f (object, metadata)
                delete [0,0] (object, metadata)
                update [0,1] -> [0,0] (dependency)
                """)
    }

    @Test func theOtherEdgeCountsForCellsThatLookAhead() throws {
        var scene = scene("a b c d", [2])
        scene.setUp { $0.setRangeOptions(.fixed(length: 3, offset: 0, from: .beginning), forGroup: "A") }
        scene.insert("x", in: "A", at: 0)
        #expect(
            try scene.changes() == """
                insert [0,0] x (object, metadata)
                delete [0,2] (object, metadata)
                update [0,0] -> [0,1] (dependency)
                """)
    }

    @Test func inAReversedGroupOffsetsAreInScreenOrder() throws {
        var scene = Scene(["A": "a b c"]) {
            $0.setIsReversed(true, forGroup: "A")
            $0.setCellDrawingDependency(forNeighboringCellWithOffset: -1, forGroup: "A")
        }
        #expect(scene.text == "A: c b a")
        scene.update("b")
        #expect(
            try scene.changes() == """
                update [0,1] -> [0,1] b (object)
                update [0,2] -> [0,2] (dependency)
                """)
    }

    @Test func anInsertAnUpdateAndADependencyOnOneRowAreOneChange() throws {
        var scene = scene("a b", [-1])
        scene.insert("x", in: "A", at: 1)
        scene.update("a")
        #expect(
            try scene.changes() == """
                insert [0,1] x (object, metadata, dependency)
                update [0,0] -> [0,0] a (object)
                update [0,1] -> [0,2] (dependency)
                """)
    }
}
