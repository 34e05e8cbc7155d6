import LiveTable
import Testing

@testable import AnimationLab

/// The texts of the lab: introductions, help, whole change-sets, explanations of settings.
@MainActor @Suite struct LabScreenReadingTests {
    @Test(arguments: [(80, 24), (40, 12)]) func anIntroductionSwallowsNoKey(width: Int, height: Int) throws {
        try withExample("roster", width: width, height: height) { bench in
            bench.press("j")
            #expect(!bench.lab.state.isCovered && bench.lab.stage.table.table.selection != nil)
        }
    }

    @Test func anIntroductionThatIsTooLongIsScrolledByArrowsAndPages() throws {
        try withExample("roster", width: 40, height: 12) { bench in
            let first = bench.screen
            bench.press("PgDn")
            let second = bench.screen
            #expect(second != first && bench.isReading)
            bench.press("Down Up PgUp")
            #expect(bench.screen == first)
            bench.press("Space Esc")
            #expect(!bench.isReading)
        }
    }

    @Test func theHelpIsReadLikeAList() throws {
        try withLab(width: 80, height: 24) { bench in
            bench.press("?")
            var screens = [bench.screen]
            for key in ["PgDn", "Space", "ctrl-d", "j", "k", "PgUp", "G", "g"] {
                bench.press(key)
                #expect(bench.isReading, "\(key)")
                screens.append(bench.screen)
            }
            #expect(screens.last == screens.first && Set(screens).count >= 5)
            bench.press("x i D")
            #expect(bench.isReading && bench.screen == screens.last)
            bench.press("q")
            #expect(!bench.isReading && !bench.hasQuit)
        }
    }

    @Test func whatThePanelHasNoRoomForIsOpened() throws {
        try withLab(width: 80, height: 24) { bench in
            bench.press("L")
            #expect(bench.hint == " There is no change-set yet.")
            bench.press("4 0 s")
            #expect(bench.screen.contains("more  L shows all"))
            let move = try #require(bench.lab.session.lastMove)
            guard case .changes(let changes) = move.outcome else { return #expect(Bool(false), "no change-set") }
            bench.press("L")
            #expect(bench.screen.contains("CHANGE-SET"))
            let overlay = try #require(bench.lab.state.screen.text)
            let log = move.step.advance.log
            let count = changes.rowChanges.count + changes.sectionChanges.count + log.count + 3
            #expect(overlay.lines.count == count && log.count > 20)
            #expect(overlay.lines.last?.text == log.last?.words)
            bench.press("Esc")
            let line = try #require(bench.draw().lines.firstIndex { $0.contains("more  L shows all") })
            bench.lab.handle(.mouse(MouseEvent(.press(button: 1), x: 60, y: line)))
            #expect(bench.isReading)
        }
    }

    @Test(arguments: [(40, 12), (48, 24), (60, 16)]) func onANarrowScreenTheChangeSetIsBelowTheList(
        width: Int, height: Int
    ) throws {
        try withLab(width: width, height: height) { bench in
            #expect(bench.screen.contains("LAST CHANGE-SET"))
            bench.press("j d")
            bench.wait(2)
            #expect(bench.screen.contains("– [0,0]          k1"), "\(bench.screen)")
            #expect(bench.screen.contains("law       holds") && bench.screen.contains("▌k2"))
            #expect(bench.draw().lines.allSatisfy { $0.count <= width })
            bench.press("Tab")
            #expect(bench.screen.contains("SETTINGS"))
        }
    }

    @Test func belowTheListTheChangeSetGoesBeforeWhatIsSaidAboutIt() throws {
        try withExample("roster", width: 40, height: 12) { bench in
            bench.press("j Right")
            bench.wait(2)
            #expect(
                bench.screen.contains("section + 1 \"away\"") && !bench.screen.contains("STEP 1"), "\(bench.screen)")
        }
    }

    @Test func eachSettingSaysWhatItDoes() throws {
        try withLab(width: 80, height: 24) { bench in
            bench.press("Tab j j j Right Right")
            var seen: Set<String> = []
            for _ in LabSetting.allCases { bench.press("k") }
            for setting in bench.lab.settings.shown {
                #expect(bench.lab.state.settings.chosen == setting)
                let meaning = bench.lab.settings.meaning(of: setting)
                #expect(meaning.count <= 37 && bench.screen.contains(meaning), "\(setting): \(bench.screen)")
                seen.insert(meaning)
                bench.press("j")
            }
            #expect(seen.count == bench.lab.settings.shown.count && seen.count > 12)
        }
    }

    @Test func theWordsOfAChangeSetAreExplained() throws {
        try withExample("hi", width: 80, height: 24) { bench in
            bench.press("Right")
            bench.wait(1)
            #expect(bench.screen.contains("law       holds  before + changes = after"))
            #expect(bench.screen.contains("dependency: a row changed that this one"), "\(bench.screen)")
        }
    }

    @Test func switchingTheMouseIsSaid() throws {
        try withLab { bench in
            bench.press("alt-m")
            #expect(bench.hint.contains("The mouse is off"))
            bench.press("alt-m")
            #expect(bench.hint.contains("The mouse is on"))
        }
    }

    private func withExample(
        _ name: String, width: Int, height: Int, _ body: (LabBench) throws -> Void
    ) throws {
        try withLab(LabEntry.examples, width: width, height: height) { bench in
            try bench.choose(#require(LabEntry.examples.firstIndex { $0.name == name }))
            try body(bench)
        }
    }
}

extension LabBench {
    /// Whether a box with lines is shown above the screen.
    fileprivate var isReading: Bool {
        if case .introduction = lab.state.overlay { true } else { lab.state.screen.text != nil }
    }
}
