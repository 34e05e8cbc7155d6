import ListChanges
import Testing

/// Operations on one row are merged; the first and the last determine the change.
@Suite struct CoalescingTests {
    private var scene = Scene(["A": "a b c", "B": "d"])

    @Test mutating func deleteThenDeleteIsADelete() throws {
        scene.move("b", to: "A", at: 2)
        scene.delete("b")
        #expect(try scene.changes() == "delete [0,1] b (object, metadata)")
    }

    @Test mutating func deleteThenInsertIsAMove() throws {
        scene.move("a", to: "B", at: 1)
        #expect(try scene.changes() == "move [0,0] -> [1,1] a (object, metadata)")
    }

    @Test mutating func deleteThenInsertAtTheSameIndexIsAMove() throws {
        scene.move("b", to: "A", at: 1)
        #expect(try scene.changes() == "move [0,1] -> [0,1] b (object, metadata)")
    }

    @Test mutating func deleteThenUpdateIsAMove() throws {
        scene.move("c", to: "A", at: 0)
        scene.update("c")
        #expect(try scene.changes() == "move [0,2] -> [0,0] c (object, metadata)")
    }

    @Test mutating func insertThenDeleteIsNothing() throws {
        scene.insert("x", in: "A", at: 1)
        scene.delete("x")
        #expect(try scene.changes() == "")
    }

    @Test mutating func insertThenInsertIsAnInsertWhereTheRowIsLast() throws {
        scene.insert("x", in: "A", at: 1)
        scene.move("x", to: "B", at: 0)
        #expect(try scene.changes() == "insert [1,0] x (object, metadata)")
    }

    @Test mutating func insertThenUpdateIsAnInsert() throws {
        scene.insert("x", in: "A", at: 3)
        scene.update("x", .metadata)
        #expect(try scene.changes() == "insert [0,3] x (object, metadata)")
    }

    @Test mutating func updateThenDeleteIsADelete() throws {
        scene.update("a", .metadata)
        scene.delete("a")
        #expect(try scene.changes() == "delete [0,0] a (object, metadata)")
    }

    @Test mutating func updateThenInsertIsAMove() throws {
        scene.update("a")
        scene.move("a", to: "A", at: 0)
        #expect(try scene.changes() == "move [0,0] -> [0,0] a (object, metadata)")
    }

    @Test mutating func updatesAloneAreOneUpdateWithAllTheirFlags() throws {
        scene.update("b", .metadata)
        scene.commit()
        scene.update("b", .object)
        #expect(try scene.changes() == "update [0,1] -> [0,1] b (object, metadata)")
    }

    @Test mutating func anUpdateFirstAndLastWithAMoveBetweenIsAMove() throws {
        scene.update("b")
        scene.move("b", to: "A", at: 1)
        scene.update("b")
        #expect(try scene.changes() == "move [0,1] -> [0,1] b (object, metadata)")
    }

    @Test mutating func anUpdateTellsBothPaths() throws {
        scene.delete("a")
        scene.update("c", .metadata)
        #expect(
            try scene.changes() == """
                delete [0,0] a (object, metadata)
                update [0,2] -> [0,1] c (metadata)
                """)
    }

    @Test mutating func aResetIsADeleteOfEveryRowFromTheLastToTheFirst() throws {
        scene.update("a")
        scene.reset("A")
        #expect(
            try scene.changes() == """
                delete [0,2] (object, metadata)
                delete [0,1] (object, metadata)
                delete [0,0] (object, metadata)
                """)
    }

    @Test mutating func aRowThatComesBackAfterAResetIsAnInsert() throws {
        scene.reset("B")
        scene.insert("d", in: "B", at: 0)
        #expect(
            try scene.changes() == """
                insert [1,0] d (object, metadata)
                delete [1,0] (object, metadata)
                """)
    }

    @Test mutating func aRowThatLeftAGroupBeforeItsResetComesFromNowhere() throws {
        scene.move("a", to: "B", at: 0)
        scene.reset("A")
        #expect(
            try scene.changes() == """
                insert [1,0] a (object, metadata)
                delete [0,2] (object, metadata)
                delete [0,1] (object, metadata)
                delete [0,0] (object, metadata)
                """)
    }
}
