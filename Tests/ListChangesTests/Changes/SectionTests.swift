import ListChanges
import Testing

/// The sections, and the effect of their changes on rows.
@Suite struct SectionTests {
    @Test func aDynamicSectionComesWithItsFirstRowAndGoesWithItsLast() throws {
        var scene = Scene(["A": "a", "B": ""]) { $0.setIsDynamicSectionForAllGroups(true) }
        #expect(scene.text == "A: a")
        scene.move("a", to: "B", at: 0)
        #expect(
            try scene.changes() == """
                insert section 0 B
                delete section 0 A
                move [0,0] -> [0,0] a (object, metadata)
                """)
    }

    @Test func aStaticSectionStaysWhenItIsEmpty() throws {
        var scene = Scene(["A": "a"])
        scene.delete("a")
        #expect(try scene.changes() == "delete [0,0] a (object, metadata)")
        #expect(scene.text == "A: ")
    }

    @Test func anUpdatedRowWhoseSectionHasAnotherNumberNowIsAMove() throws {
        var scene = Scene(["A": "", "B": "b c"]) { $0.setIsDynamicSection(true, forGroup: "A") }
        scene.insert("a", in: "A", at: 0)
        scene.update("b", .metadata)
        #expect(
            try scene.changes() == """
                insert section 0 A
                insert [0,0] a (object, metadata)
                move [0,0] -> [1,0] b (metadata)
                """)
    }

    @Test func aSectionWhoseWindowBecomesEmptyGoesToo() throws {
        var scene = Scene(["A": "a b"]) {
            $0.setIsDynamicSection(true, forGroup: "A")
            $0.setRangeOptions(.fixed(length: 1, offset: 1, from: .beginning), forGroup: "A")
        }
        #expect(scene.text == "A: b")
        scene.delete("a")
        #expect(
            try scene.changes() == """
                delete section 0 A
                delete [0,0] (object, metadata)
                """)
    }

    @Test func sectionsThatOnlyAWindowChangesComeAfterThoseOfTheLog() throws {
        var scene = Scene(["A": "a b", "B": "", "C": "c"]) {
            $0.setIsDynamicSectionForAllGroups(true)
            $0.setRangeOptions(.fixed(length: 1, offset: 1, from: .beginning), forGroup: "A")
        }
        scene.delete("a")
        scene.delete("c")
        scene.insert("x", in: "B", at: 0)
        #expect(
            try scene.changes().hasPrefix(
                """
                insert section 0 B
                delete section 1 C
                delete section 0 A

                """))
    }

    @Test func aDynamicSectionThatIsSwitchedOnLaterGoesWithTheNextChanges() throws {
        var scene = Scene(["A": "", "B": "b"])
        scene.setUp { $0.setIsDynamicSection(true, forGroup: "A") }
        #expect(scene.text == "A: \nB: b")
        scene.update("b")
        #expect(
            try scene.changes() == """
                delete section 0 A
                move [1,0] -> [0,0] b (object)
                """)
    }

    @Test func aReversedGroupCountsItsRowsFromTheLast() throws {
        var scene = Scene(["A": "a b c"]) { $0.setIsReversed(true, forGroup: "A") }
        scene.insert("x", in: "A", at: 3)
        scene.delete("a")
        scene.update("b")
        #expect(
            try scene.changes() == """
                insert [0,0] x (object, metadata)
                delete [0,2] a (object, metadata)
                update [0,1] -> [0,2] b (object)
                """)
    }
}
