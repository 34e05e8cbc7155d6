import ListChanges
import Testing

/// All groups are one section while they have few rows.
@Suite struct ConsolidationTests {
    private func scene(_ groups: KeyValuePairs<String, String>, threshold: Int) -> Scene {
        Scene(groups) { $0.setAutoConsolidateGroupsThreshold(threshold, withName: "all") }
    }

    @Test func rowsAreCountedOverAllGroups() throws {
        var scene = scene(["A": "a b", "B": "c"], threshold: 9)
        #expect(scene.text == "all: a b c")
        scene.insert("x", in: "A", at: 0)
        scene.delete("c")
        #expect(
            try scene.changes() == """
                insert [0,0] x (object, metadata)
                delete [0,2] c (object, metadata)
                """)
    }

    @Test func anUpdatedRowWhoseNumberChangedIsAMove() throws {
        var scene = scene(["A": "a", "B": "c"], threshold: 9)
        scene.insert("x", in: "A", at: 0)
        scene.update("c")
        #expect(
            try scene.changes() == """
                insert [0,0] x (object, metadata)
                move [0,1] -> [0,2] c (object)
                """)
    }

    @Test func withTheLastRowItTakesTheSectionsAreReplacedAndRowsMove() throws {
        var scene = scene(["A": "a", "B": "c"], threshold: 3)
        scene.insert("x", in: "B", at: 0)
        #expect(
            try scene.changes() == """
                delete section 0 all
                insert section 0 A
                insert section 1 B
                insert [1,0] x (object, metadata)
                move [0,1] -> [1,1] ()
                move [0,0] -> [0,0] ()
                """)
        scene.delete("a")
        #expect(
            try scene.changes() == """
                delete section 0 A
                delete section 1 B
                insert section 0 all
                delete [0,0] a (object, metadata)
                move [1,0] -> [0,0] ()
                move [1,1] -> [0,1] ()
                """)
    }

    @Test func movesBetweenConsolidatedGroupsStayInTheSection() throws {
        var scene = scene(["A": "a b", "B": "c"], threshold: 9)
        scene.move("a", to: "B", at: 1)
        #expect(try scene.changes() == "move [0,0] -> [0,2] a (object, metadata)")
    }

    @Test func anEmptyListIsOneEmptySection() throws {
        let scene = scene(["A": "", "B": ""], threshold: 1)
        #expect(scene.text == "all: ")
    }

    @Test func theNameOfAGroupSwitchesItOff() throws {
        let scene = Scene(["A": "a"]) { $0.setAutoConsolidateGroupsThreshold(5, withName: "A") }
        #expect(scene.text == "A: a")
        #expect(scene.mappings.autoConsolidateGroupsThreshold == 0)
        #expect(scene.mappings.consolidatedGroupName == nil)
    }
}
