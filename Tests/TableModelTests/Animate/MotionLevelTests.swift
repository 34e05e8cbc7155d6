import Testing

@testable import TableModel

@Suite struct MotionLevelTests {
    @Test func reducedMotionMovesNothingAndMarksWhatCame() {
        var screen = Screen(Rows("a b c"), TableOptions(motion: .reduced, hasScrollBar: false))
        screen.change(to: Rows("c a x"))
        #expect(screen.lines() == [" c", " a", " x", "", ""])
        #expect(screen.frame()[5, 0].style.background != .terminal, "moved")
        #expect(screen.frame()[5, 1].style.background == .terminal)
        #expect(screen.frame()[5, 2].style.background != .terminal, "new")
        #expect(screen.table.nextFrame(after: screen.time) == screen.time + 0.5, "one more frame, when the mark goes")
        #expect(screen.frame(after: 500)[5, 2].style == .plain)
    }

    @Test func withoutMotionTheRowsAreThereAtOnce() {
        var screen = Screen(Rows("a b c"), TableOptions(motion: .none, hasScrollBar: false))
        screen.change(to: Rows("c a x"))
        #expect(screen.frame() == screen.drawnAfresh())
        #expect(screen.table.nextFrame(after: screen.time) == nil)
        screen.perform(.pageDown(1))
        #expect(screen.table.nextFrame(after: screen.time) == nil)
    }

    @Test func fullMotionAsksForSixtyFramesASecondWhileSomethingMoves() {
        var screen = Screen(Rows("a b c"))
        screen.change(to: Rows("a x b c"))
        let next = screen.table.nextFrame(after: screen.time) ?? 0
        #expect(abs(next - screen.time - 1.0 / 60) < 1e-9)
        #expect(screen.table.nextFrame(after: screen.time + 0.2) == nil)
    }

    @Test func nothingTakesLongerThanItMayButTheTint() {
        var random = SplitMix64(seed: 12)
        var screen = Screen(.random(using: &random, hasHeaders: true), height: 8)
        for _ in 0..<300 {
            screen.change(to: screen.rows.mutated(using: &random))
            for motion in (screen.table.items + screen.table.leaving).compactMap(\.motion) {
                #expect(motion.moveEnd <= screen.time + 0.3 + 1e-9)
                #expect(motion.end <= screen.time + 0.8 + 1e-9)
            }
            screen.wait(Double(random.below(500)))
        }
    }

    @Test func inMonochromeNothingFadesOrTints() {
        let theme = Theme(depth: .monochrome)
        var screen = Screen(Rows("a b c"), TableOptions(theme: theme, hasScrollBar: false))
        screen.change(to: Rows("a x c b"))
        for time in stride(from: 0.0, to: 800, by: 20) {
            #expect(screen.frame(after: time).cells.allSatisfy { $0.style == .plain })
        }
    }

    @Test func withEightColoursFadesAreDimAndTintsBold() {
        let theme = Theme(depth: .eight)
        var screen = Screen(Rows("a b c"), TableOptions(theme: theme, hasScrollBar: false))
        var after = Rows("a c")
        after.sections[0].rows[0].text = "A"
        screen.change(to: after)
        #expect(screen.frame(after: 50)[1, 1].style.attributes == .dim)
        #expect(screen.frame(after: 50)[1, 0].style.attributes == .bold)
    }
}
