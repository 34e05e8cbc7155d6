import Testing

@testable import AnimationLab

@Suite struct GalleryTextTests {
    @Test func anEntryIsShownSideBySide() throws {
        let entry = try #require(Gallery.entry(named: "same-path"))
        let text = entry.text(try withScratchFolder { try entry.comparisons(in: $0) })
        let steps = try #require(text.range(of: "\nStep "))
        #expect(
            text[steps.lowerBound...] == """

                Step 1 of 1. Bob becomes available, the first one: the section comes in where "away" was.

                  commit    set Bob in available at 0

                  BEFORE          OUR CHANGES GIVE   A RELOAD SHOWS   THE TEMPTING ONES GIVE
                  away            available          available        available
                    [0,0] Bob       [0,0] Bob          [0,0] Bob      away
                    [0,1] Eve     away               away             ! [1,0] Bob
                  offline           [1,0] Eve          [1,0] Eve      ! [1,1] Eve
                    [1,0] Frank   offline            offline          offline
                                    [2,0] Frank        [2,0] Frank      [2,0] Frank

                  We say:
                    insert  section 0       available
                    move    [0,0] -> [0,0]  Bob        object, metadata
                  Applied to the rows before, it gives the rows that a reload shows.

                  The tempting answer (an update instead of the move):
                    insert  section 0  available
                    update  [0,0]      Bob        object, metadata
                  A table view throws an exception: the changes lead to 0 rows in section 0, and there are 1.

                """)
    }

    @Test func theTextsArePlainAndFit() throws {
        try withScratchFolder { folder in
            for entry in Gallery.entries {
                let text = entry.text(try entry.comparisons(in: folder))
                #expect(
                    text.utf8.allSatisfy { $0 == UInt8(ascii: "\n") || (0x20..<0x7f).contains($0) }, "\(entry.name)")
                let lines = text.split(separator: "\n")
                #expect(lines.allSatisfy { $0.count <= 120 && $0.last != " " }, "\(entry.name)")
            }
        }
    }

    @Test func longSectionsAndLongChangeSetsAreShortened() throws {
        let entry = try #require(Gallery.entry(named: "last-50-messages"))
        let text = entry.text(try withScratchFolder { try entry.comparisons(in: $0) })
        #expect(text.contains("    ... 46 rows") && text.contains("    ... 312 more"))
    }

    @Test func textsAreBrokenBetweenWords() {
        #expect("one two three".wrapped(at: 7) == ["one two", "three"])
        #expect("incomprehensible".wrapped(at: 5) == ["incomprehensible"])
        #expect("".wrapped(at: 5) == [])
        #expect("one two".wrapped(at: 6, indent: "  ") == ["  one", "  two"])
    }
}
