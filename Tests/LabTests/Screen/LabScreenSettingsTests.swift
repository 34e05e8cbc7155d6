import LiveTable
import Testing

@testable import AnimationLab

@MainActor @Suite struct LabScreenSettingsTests {
    @Test func everySettingIsChangedLive() throws {
        try withLab([.small]) { bench in
            bench.press("Tab j j Right")
            #expect(bench.list == "A: k3 k2 k1 | B: k4")
            bench.press("j Right j Left Left Left")
            #expect(bench.screen.contains("fixed last 2"))
            #expect(bench.list == "A: k2 k1 | B: k4")
            bench.press("j j Right")
            #expect(bench.list == "A: k3 k2 | B: k4")
            bench.press("u u u u u u u u")
            #expect(bench.list == "A: k1 k2 k3 | B: k4")
            bench.press("Esc")
            #expect(bench.lab.state.focus == .list)
        }
    }

    @Test func theGroupIsThatOfTheSelectedRowOrTheChosenOne() throws {
        try withLab([.small]) { bench in
            bench.press("G Tab")
            #expect(bench.lab.settings.group == "B")
            bench.press("Right")
            #expect(bench.lab.settings.group == "A")
        }
    }

    @Test func groupsBecomeOneSectionAndBackAgain() throws {
        try withLab([.small]) { bench in
            bench.press("Tab j j j j j j j j Right")
            #expect(bench.list == "all: k1 k2 k3 k4")
            #expect(bench.screen.contains("one section \"all\" below 5 rows: now"))
            bench.press("Tab a")
            #expect(bench.lab.session.state.mappings.numberOfSections == 2)
            #expect(bench.lab.session.lastMove?.problem == nil)
        }
    }

    @Test func theGroupsAreTakenOutAddedAndPutInOrder() throws {
        try withLab([.small]) { bench in
            bench.press("Tab j j j j j j Right")
            #expect(bench.list == "B: k4 | A: k1 k2 k3")
            bench.press("k Right")
            #expect(bench.list == "B: k4" && bench.screen.contains("left out: A"))
            bench.press("a")
            bench.type("D")
            bench.press("Enter")
            #expect(bench.list == "B: k4 | D:" && bench.lab.settings.group == "D")
            bench.press("j j j j Right")
            #expect(bench.list == "B: k4" && bench.screen.contains("of B, D, ascending"))
            bench.press("Right")
            #expect(bench.list == "A: k1 k2 k3 | B: k4" && bench.screen.contains("all groups, ascending"))
            bench.press("j Right")
            #expect(bench.list == "B: k4 | A: k1 k2 k3")
            bench.press("u u u u u u")
            #expect(bench.list == "A: k1 k2 k3 | B: k4" && bench.lab.session.position == 0)
            bench.press("Esc ] [ x")
            bench.wait(9)
            #expect(bench.list == "B: k4 | A: k1 k2 k3" && bench.lab.session.lastMove?.problem == nil)
        }
    }

    @Test func whatIsWrittenAfterAChangeOfGroupsSaysSo() throws {
        try withLab([.small]) { bench in
            bench.press("Tab j j j j j j Right Esc j d y")
            #expect(bench.hint == " A scenario has one choice of groups: the 1 step with these is on the clipboard.")
            #expect(bench.copied.contains(#""mappings":{"groups":["B","A"]"#))
        }
    }

    @Test func onALowScreenTheFormLeavesRoomForTheChangeSet() throws {
        try withLab([.small], width: 80, height: 24) { bench in
            bench.press("Tab j j j Right Right")
            for key in ["k k k", "j j j j j j", "j j j j j j j j j j j"] {
                bench.press(key)
                let screen = bench.screen
                for text in ["LAST CHANGE-SET", "law       holds", "▌", "MAPPINGS", "TIMELINE"] {
                    #expect(screen.contains(text), "\(screen)")
                }
            }
        }
    }

    @Test func aClickChoosesASettingAndChangesIt() throws {
        try withLab([.small]) { bench in
            bench.press("Tab")
            let line = try #require(bench.draw().lines.firstIndex { $0.contains(" order ") })
            let click = InputEvent.mouse(MouseEvent(.press(button: 1), x: 60, y: line))
            bench.lab.handle(click)
            #expect(bench.lab.state.settings.chosen == .order)
            bench.lab.handle(click)
            #expect(bench.list == "A: k3 k2 k1 | B: k4")
        }
    }
}
