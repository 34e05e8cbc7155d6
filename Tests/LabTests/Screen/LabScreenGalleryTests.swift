import LiveTable
import Testing

@testable import AnimationLab

@MainActor @Suite struct LabScreenGalleryTests {
    @Test func aKeyOpensTheGallery() throws {
        try withLab { bench in
            bench.press("e")
            #expect(bench.screen.contains("Sections that come and go"))
            bench.press("Down Enter")
            #expect(bench.screen.contains("yap lab · roster 2 of") && bench.screen.contains("→ takes one"))
            bench.press("Right")
            #expect(bench.screen.contains("STEP 1  Bob goes away."))
            #expect(bench.screen.contains("section + 1 \"away\""))
        }
    }

    private static let sizes = [(80, 24), (100, 30), (160, 50), (200, 50)]

    @Test(arguments: LabEntry.examples.indices) func everyExamplePlaysBothWays(index: Int) throws {
        let size = Self.sizes[index % Self.sizes.count]
        try withLab(LabEntry.examples, width: size.0, height: size.1) { bench in
            try bench.lab.open(index)
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
