import Testing

@testable import TableModel

@Suite struct UpdateTests {
    @Test func theTextChangesAtOnceAndATintDecays() {
        var screen = changed(.full)
        #expect(screen.lines() == [" a", " b2", " c", "", ""])
        let levels = [0.0, 200, 400, 499].map { screen.frame(after: $0)[5, 1].style.background.luminance }
        #expect(levels == levels.sorted(by: >) && levels[0] > levels[3], "\(levels)")
        #expect(screen.frame(after: 500)[5, 1].style == .plain)
        screen.wait(500)
        #expect(screen.table.nextFrame(after: screen.time) == nil)
    }

    @Test func aDecayingTintAsksOnlyForFramesThatDiffer() {
        let screen = changed(.full)
        var time = screen.time
        var frames = 0
        while let next = screen.table.nextFrame(after: time), frames < 100 {
            #expect(next > time)
            time = next
            frames += 1
        }
        #expect(frames == Motion.Tint.steps)
    }

    @Test func aTallerRowPushesTheOthersDown() {
        var screen = Screen(Rows("a b c"))
        var after = screen.rows
        after.sections[0].rows[1].height = 2
        screen.change(to: after)
        #expect(screen.lines() == [" a", " b", " c", "", ""])
        #expect(screen.lines(after: 200) == [" a", " b", "   b+1", " c", ""])
    }

    @Test func reducedMotionUnderlinesIt() {
        let screen = changed(.reduced)
        #expect(screen.frame(after: 400)[1, 1].style.attributes == .underline)
        #expect(screen.frame(after: 500)[1, 1].style == .plain)
    }

    @Test func withoutMotionNothingMarksIt() {
        let screen = changed(.none)
        #expect(screen.frame()[1, 1].style == .plain)
        #expect(screen.table.nextFrame(after: screen.time) == nil)
    }

    @Test func whatTravelsGoesOnTravellingWhenItIsUpdated() {
        var screen = Screen(Rows("a b c d e"))
        screen.change(to: Rows("a c d e b"))
        screen.wait(100)
        var after = screen.rows
        after.sections[0].rows[4].text = "b2"
        screen.change(to: after)
        #expect(screen.lines(after: 20).dropLast().contains(" b2"))
        #expect(screen.lines(after: 300) == [" a", " c", " d", " e", " b2"])
    }

    private func changed(_ motion: MotionLevel) -> Screen {
        var screen = Screen(Rows("a b c"), TableOptions(motion: motion, hasScrollBar: false))
        var after = screen.rows
        after.sections[0].rows[1].text = "b2"
        screen.change(to: after)
        return screen
    }
}
