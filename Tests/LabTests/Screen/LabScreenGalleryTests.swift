import LiveTable
import Testing

@testable import AnimationLab

@MainActor @Suite struct LabScreenGalleryTests {
    @Test func aKeyOpensTheGallery() throws {
        try withLab { bench in
            bench.press("e")
            #expect(bench.screen.contains("Sections that come and go"))
            bench.press("Down Enter")
            #expect(bench.screen.contains("yap lab · roster 1 of 23") && bench.screen.contains("→ takes one"))
            bench.press("Right")
            #expect(bench.screen.contains("STEP 1  Bob goes away."))
            #expect(bench.screen.contains("section + 1 \"away\""))
        }
    }

    /// The playground is none of the gallery.
    @Test func thePlaygroundHasNoNumber() throws {
        try withLab { bench in
            #expect(bench.screen.contains("yap lab · playground") && !bench.screen.contains(" of 1"))
        }
    }

    @Test func aRowTakesTheTextThatIsTyped() throws {
        try withLab { bench in
            bench.press("j C")
            #expect(bench.screen.contains("text of k"))
            bench.type(", and tea")
            bench.press("Enter")
            #expect(bench.screen.contains(", and tea"), "\(bench.screen)")
            bench.press("u")
            #expect(!bench.screen.contains(", and tea"))
        }
    }

    /// Rows whose names are all that they have are told apart.
    @Test(arguments: [(80, 24), (200, 50)]) func namesAreShownAsLongAsThereIsRoom(width: Int, height: Int) throws {
        let index = try #require(LabEntry.examples.firstIndex { $0.name == "last-50-messages" })
        try withLab(LabEntry.examples, opening: index, width: width, height: height) { bench in
            bench.press("Esc")
            #expect(bench.screen.contains("message 69 ") && !bench.screen.contains("messa…"), "\(bench.screen)")
            bench.press("Right")
            bench.wait(1)
            #expect(bench.screen.contains("message 101"), "\(bench.screen)")
        }
    }

    private static let sizes = [(80, 24), (100, 30), (160, 50), (200, 50)]

    @Test(arguments: LabEntry.examples.indices) func everyExamplePlaysBothWays(index: Int) throws {
        let size = Self.sizes[index % Self.sizes.count]
        try withLab(LabEntry.examples, opening: index, width: size.0, height: size.1) { bench in
            for step in bench.lab.stage.entry.scenario.steps.indices {
                bench.press("Right")
                bench.wait(1)
                #expect(bench.lab.session.lastMove?.problem == nil)
                let words = bench.lab.stage.entry.steps[step]
                let screen = bench.screen
                #expect(screen.contains("STEP \(step + 1)"))
                if let other = words.other { #expect(screen.contains("\(other.name.uppercased()) WOULD SAY")) }
            }
            for _ in bench.lab.stage.entry.scenario.steps { bench.press("Left") }
            #expect(bench.lab.session.position == 0 && bench.lab.session.lastMove?.problem == nil)
        }
    }

    /// The original's table beside ours; if a table view would throw, the text about it.
    private nonisolated static let others: [(name: String, shown: [String])] = [
        ("fixed-offset", ["k5!    ", "k1!    ", "k7!    ", "≠", "At [0,0] it shows k5"]),
        ("insert-and-move", ["Bob!   ", "≠", "At [0,0] it shows Bob"]),
        ("far-neighbours", ["k1!    ", "The rows are right, but k1"]),
        ("stale-sections", ["A table view throws an", "k5!    "]),
        ("section-of-a-range", ["A table view throws an"]),
        ("phantom-rows", ["A table view throws an"]),
        ("range-to-range", ["A table view throws an"]),
        ("endless", ["There is no answer"]),
        ("least-length", ["A table view throws an"]), ("consolidation", ["A table view throws an"]),
        ("negative-reversed", ["A table view throws an"]),
    ]

    @Test(arguments: others, [80, 100, 160, 200]) func theOtherAnswerIsATableBesideOurs(
        other: (name: String, shown: [String]), width: Int
    ) throws {
        let index = try #require(LabEntry.examples.firstIndex { $0.name == other.name })
        try withLab(LabEntry.examples, opening: index, width: width, height: 30) { bench in
            #expect(bench.list(at: 1).contains("Take a step"))
            for _ in 0..<bench.lab.stage.entry.scenario.steps.count { bench.press("Right") }
            bench.wait(1)
            let half = bench.list(at: 1) + bench.list(at: -1)
            // Narrow halves wrap the words differently.
            func plain(_ text: String) -> String { text.filter { $0 != " " } }
            for text in other.shown {
                #expect(plain(half).contains(plain(text)), "\(other.name), \(width): \(bench.screen)")
            }
            #expect(bench.screen.contains(" ours ") && bench.lab.session.lastMove?.problem == nil)
            bench.press("v")
            #expect(!bench.screen.contains(" ours "))
            bench.press("v v")
            #expect(bench.screen.contains(" ours "))
        }
    }

    @Test func anExampleWithOneAnswerStandsAlone() throws {
        try withLab(LabEntry.examples) { bench in
            let index = { (name: String) in try #require(LabEntry.examples.firstIndex { $0.name == name }) }
            try bench.lab.open(index("phantom-rows"))
            #expect(bench.screen.contains("the original"))
            try bench.lab.open(index("roster"))
            #expect(bench.lab.state.beside == .nothing)
            bench.press("v v")
            #expect(bench.lab.state.beside == .nothing)
        }
    }

    @Test func bothTablesAndThePanelFitIntoTheSmallestScreen() throws {
        try withLab([.small], width: 80, height: 24) { bench in
            bench.press("v")
            for text in ["by change-set", "by reload", "TIMELINE"] { #expect(bench.screen.contains(text)) }
        }
    }

    @Test func besideItTheSameByAReloadWithTheDifferenceMarked() throws {
        try withLab([.small], width: 120) { bench in
            bench.press("v j")
            #expect(bench.screen.contains("by change-set") && bench.screen.contains("by reload"))
            #expect(!bench.screen.contains("≠"))
            bench.press("D")
            bench.wait(0.05)
            #expect(bench.screen.contains("≠"))
            bench.wait(2)
            #expect(!bench.screen.contains("≠"))
            bench.press("v")
            #expect(!bench.screen.contains("by reload"))
        }
    }
}
