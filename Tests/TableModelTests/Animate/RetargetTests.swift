import Testing

@testable import TableModel

@Suite struct RetargetTests {
    @Test func aSecondChangeStartsFromWhatIsOnTheScreen() {
        var screen = Screen(Rows("a b c d e f g"))
        screen.change(to: Rows("a x y z b c d e f g"))
        screen.wait(30)
        let shown = screen.lines()
        #expect(shown == [" a", "", " b", " c", " d"])
        screen.change(to: Rows("a x y z b c d e f"))
        #expect(screen.lines() == shown)
        #expect(screen.lines(after: 400) == [" a", " x", " y", " z", " b"])
    }

    @Test func anInsertTakenBackFadesFromWhereItWas() {
        var screen = Screen(Rows("a b c"))
        screen.change(to: Rows("a x b c"))
        screen.wait(140)
        #expect(screen.lines() == [" a", " x", " b", " c", ""])
        screen.change(to: Rows("a b c"))
        let before = screen.frame()[1, 1].style.foreground.luminance
        #expect(screen.frame(after: 60)[1, 1].style.foreground.luminance < before)
        #expect(screen.lines(after: 300) == [" a", " b", " c", "", ""])
    }

    @Test func aFadeGoesOnThroughTheNextChange() {
        var screen = Screen(Rows("a b c"))
        screen.change(to: Rows("a x b c"))
        screen.wait(100)
        let alpha = screen.table.transitions(at: screen.time).first { $0.key?.key == "x" }?.alpha
        screen.change(to: Rows("a x b c d"))
        #expect(screen.table.transitions(at: screen.time).first { $0.key?.key == "x" }?.alpha == alpha)
    }

    @Test func changesThatNeverStopDoNotHoldUpWhatMoves() {
        var screen = Screen(Rows("a b c d e"), height: 5)
        for round in 1...20 {
            var after = screen.rows
            after.sections[0].rows.append(.init("k\(round)"))
            screen.change(to: after)
            screen.wait(40)
        }
        #expect(screen.lines().prefix(3) == [" k15", " k16", " k17"], "a line or two behind the newest, not more")
    }

    @Test func aMoveGoesOnThroughChangesElsewhere() {
        var screen = Screen(Rows("a b c d e"), TableOptions(follows: .start, hasScrollBar: false))
        screen.change(to: Rows("a c d e b"))
        for round in 1...12 {
            var after = screen.rows
            after.sections[0].rows.append(.init("x\(round)"))
            screen.change(to: after)
            screen.wait(20)
        }
        #expect(screen.lines() == [" a", " c", " d", " e", " b"])
        #expect(screen.table.transitions(at: screen.time).allSatisfy { $0.line == $0.toLine })
    }

    @Test func scrollingTakesWhatMovesAlong() {
        var screen = Screen(Rows("a b c d e f g h"))
        screen.change(to: Rows("a b c x d e f g h"))
        screen.wait(60)
        #expect(screen.lines() == [" a", " b", " c", "", " d"])
        screen.perform(.scroll(lines: 2))
        #expect(screen.lines() == [" c", "", " d", " e", " f"])
        #expect(screen.lines(after: 300) == [" c", " x", " d", " e", " f"])
    }

    @Test func noLineJumpsWhileChangesKeepComing() {
        var random = SplitMix64(seed: 5)
        var screen = Screen(Rows("a b c d e f g h i j k l"), height: 8)
        for _ in 0..<300 {
            let before = screen.lines()
            screen.change(to: screen.rows.mutated(using: &random))
            for (y, line) in screen.lines().enumerated() where line != "" && before.contains(line) {
                #expect(before[y] == line, "seed 5: \(line)")
            }
            screen.wait(Double(random.below(200)))
        }
    }
}
