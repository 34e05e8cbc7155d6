import LiveTable
import Testing

@testable import AnimationLab

@MainActor @Suite struct LabScreenTests {
    @Test func keysEditTheSelectedRow() throws {
        try withLab([.small]) { bench in
            bench.press("j a")
            #expect(bench.list == "A: k1 k5 k2 k3 | B: k4")
            bench.press("J")
            #expect(bench.list == "A: k1 k2 k5 k3 | B: k4")
            bench.press("> t c m K")
            #expect(bench.list == "A: k1 k2 k3 | B: k5 k4")
            bench.press("< d")
            #expect(bench.list == "A: k1 k2 k3 | B: k4")
            bench.press("i r D")
            #expect(bench.list == "A: | B:")
            #expect(bench.lab.session.steps.count == 12)
        }
    }

    @Test func withoutASelectedRowOneIsTold() throws {
        try withLab([.small]) { bench in
            bench.press("d")
            #expect(bench.hint == " Select a row first: j and k, or a click.")
            bench.press("j K")
            #expect(bench.hint == " k1 is the first of A already.")
        }
    }

    @Test func editsAreCollectedAndCommitsHeld() throws {
        try withLab([.small]) { bench in
            bench.press("j b d")
            #expect(bench.list == "A: k1 k2 k3 | B: k4")
            #expect(bench.screen.contains("1 edit collected") && bench.hint.contains("Enter commit"))
            bench.press("Enter b h j d j d h")
            #expect(bench.list.contains("k1") == false)
            #expect(bench.lab.session.steps.map(\.step.commits.count) == [1, 2])
        }
    }

    @Test func whatWaitsIsMarkedAtItsRows() throws {
        try withLab([.small]) { bench in
            @MainActor func mark(_ key: String) -> String? {
                bench.screen.split(separator: "\n").first { $0.dropFirst().hasPrefix(key) }.flatMap {
                    $0.prefix { $0 != "│" }.split(separator: " ").dropFirst(2).last.map(String.init)
                }
            }
            bench.press("b j d")
            #expect(mark("k1") == "–")
            bench.press("j c")
            #expect(mark("k2") == "~")
            bench.press("j >")
            #expect(mark("k3") == "→" && mark("k4") == nil)
            bench.press("u")
            #expect(mark("k3") == nil && mark("k2") == "~")
            bench.press("b")
            bench.wait(2)
            #expect(bench.list == "A: k2 k3 | B: k4" && mark("k2") == "2")
            bench.press("h d")
            #expect(mark("k3") == "–")
            bench.press("h")
            #expect(bench.list == "A: k2 | B: k4")
        }
    }

    @Test func theTimelineGoesBothWays() throws {
        try withLab([.small]) { bench in
            bench.press("j d d d")
            #expect(bench.list == "A: | B: k4")
            bench.press("Left Left")
            #expect(bench.list == "A: k2 k3 | B: k4")
            bench.press("Right")
            #expect(bench.list == "A: k3 | B: k4")
            bench.press("[")
            #expect(bench.list == "A: k1 k2 k3 | B: k4")
            bench.press("]")
            #expect(bench.list == "A: | B: k4")
            bench.press("u u U")
            #expect(bench.list == "A: k3 | B: k4")
            bench.press("[ Left")
            #expect(bench.hint == " This is the beginning.")
        }
    }

    @Test func theAnimationRunsBothWaysAsSlowAsOneLikes() throws {
        try withLab([.small]) { bench in
            bench.press("j - - d")
            bench.wait(0.2)
            #expect(bench.screen.contains("speed 1/4") && bench.screen.contains("MOTION"))
            bench.wait(4)
            #expect(!bench.screen.contains("MOTION"))
            bench.press("Left p")
            bench.wait(10)
            #expect(bench.screen.contains("MOTION") && bench.screen.contains("stopped"))
            bench.press(". . .")
            #expect(bench.screen.contains("MOTION"))
            bench.press("p")
            bench.wait(4)
            #expect(!bench.screen.contains("MOTION"))
        }
    }

    @Test func whatWasDonePlaysFromItsBeginning() throws {
        try withLab([.small]) { bench in
            bench.press("j d d x")
            bench.wait(0.5)
            #expect(bench.list == "A: k2 k3 | B: k4")
            bench.wait(2)
            #expect(bench.list == "A: k3 | B: k4" && bench.lab.state.motion.nextStep == nil)
        }
    }

    @Test func aStormCanBeHadAgain() throws {
        func afterStorm(_ keys: String) throws -> String {
            var list = ""
            try withLab([.small]) { bench in
                bench.press(keys)
                list = bench.list
            }
            return list
        }
        let storm = try afterStorm("3 0 s")
        #expect(try storm == afterStorm("3 0 S Enter"))
        #expect(try storm != afterStorm("3 0 S Backspace 7 Enter"))
    }

    @Test func motionHasThreeLevels() throws {
        try withLab([.small]) { bench in
            bench.press("M M")
            #expect(bench.screen.contains("motion none"))
            bench.press("j d")
            bench.draw()
            #expect(!bench.screen.contains("MOTION"))
        }
    }

    @Test func theHelpSaysWhatTheKeysDo() throws {
        try withLab { bench in
            bench.press("?")
            #expect(bench.screen.contains("insert a row after the selected one"))
            bench.press("Esc q")
            #expect(bench.hasQuit)
        }
    }
}
