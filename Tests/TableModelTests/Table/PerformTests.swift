import ListChanges
import Testing

@testable import TableModel

@Suite struct PerformTests {
    private let rows = Rows((1...30).map { "r\($0)" }.joined(separator: " "))

    @Test func theFirstStepSelectsTheRowAtTheTop() {
        var screen = Screen(rows)
        screen.perform(.selectNext(3))
        #expect(screen.table.selection?.key == "r1")
        screen.perform(.selectNext(12))
        #expect(screen.table.selection?.key == "r13")
        #expect(screen.lines(after: 100).last == "▌r13")
        screen.perform(.selectPrevious(99))
        #expect(screen.table.selection?.key == "r1")
        #expect(screen.lines(after: 100).first == "▌r1")
    }

    @Test func aPageTakesTheSelectionAlong() {
        var screen = Screen(rows)
        screen.select("r1")
        screen.perform(.pageDown(1))
        #expect(screen.lines(after: 100) == ["▌r5", " r6", " r7", " r8", " r9"])
        screen.perform(.halfPageDown(1))
        #expect(screen.lines(after: 200)[0] == "▌r7")
        screen.perform(.pageUp(1))
        #expect(screen.lines(after: 300) == [" r3", " r4", " r5", " r6", "▌r7"])
    }

    @Test func atTheEdgeAPageSelectsTheLastRow() {
        var screen = Screen(rows)
        screen.select("r27")
        screen.perform(.selectLast)
        screen.perform(.selectPrevious(2))
        screen.perform(.pageDown(1))
        #expect(screen.table.selection?.key == "r30")
    }

    @Test func aPageGlidesForNoLongerThanItMay() {
        var screen = Screen(rows)
        screen.perform(.pageDown(1))
        #expect(screen.lines() == [" r1", " r2", " r3", " r4", " r5"])
        let middle = screen.lines(after: 15)
        #expect(middle[0] > " r1" && middle[0] < " r5" && !middle.contains(""))
        #expect(screen.lines(after: 80) == [" r5", " r6", " r7", " r8", " r9"])
        #expect(screen.table.nextFrame(after: screen.time + 0.08) == nil)
    }

    @Test func aHeldKeyLeavesNothingBehind() {
        var screen = Screen(rows)
        for _ in 0..<200 {
            screen.perform(.pageDown(1))
            screen.perform(.pageUp(1))
            screen.wait(5)
        }
        #expect(screen.table.leaving.count < 200, "\(screen.table.leaving.count) rows are still leaving")
        screen.wait()
        #expect(screen.frame() == screen.drawnAfresh())
    }

    @Test func numbersGoThroughAllSections() {
        var screen = Screen(Rows([.init("A", [.init("a")]), .init("B", [.init("b"), .init("c")])]), height: 4)
        screen.perform(.selectNumber(2))
        #expect(screen.table.selection?.key == "b")
        screen.perform(.selectNumber(99))
        #expect(screen.table.selection?.key == "c")
    }

    @Test func theSelectedRowIsShownBelowTheStickyHeader() {
        let rows = Rows([.init("A", (0..<9).map { .init("a\($0)") })])
        var screen = Screen(rows, height: 4)
        screen.select("a8")
        #expect(screen.lines() == [" A      9", " a6", " a7", "▌a8"])
        screen.select("a5")
        #expect(screen.lines() == [" A      9", "▌a5", " a6", " a7"])
    }

    @Test func centerPutsTheSelectedRowInTheMiddle() {
        var screen = Screen(rows)
        screen.select("r15")
        screen.perform(.center)
        #expect(screen.lines(after: 100) == [" r13", " r14", "▌r15", " r16", " r17"])
    }

    @Test func aClickSelectsTheRowThatIsSeenThere() {
        var screen = Screen(Rows("a b c d e f"))
        screen.change(to: Rows("a x y b c d e f"))
        #expect(
            screen.table.hit(x: 1, y: 1, at: screen.time)
                == .row(RowKey(collection: "", key: "b"), RowPath(section: 0, row: 3)))
        screen.perform(.click(x: 1, y: 1))
        #expect(screen.table.selection?.key == "b", "what was clicked, not what will be there")
    }

    @Test func aClickBesideTheRowsDoesNothing() {
        var screen = Screen(Rows([.init("A", [.init("a")])]), height: 4)
        for y in [0, 3] {
            let didAnything = screen.table.perform(.click(x: 0, y: y), source: screen.rows, at: screen.time)
            #expect(!didAnything)
        }
        #expect(screen.table.hit(x: 0, y: 0, at: screen.time) == .header(section: 0))
        #expect(screen.table.hit(x: 0, y: 3, at: screen.time) == .nothing)
    }

    @Test func withoutSelectionTheKeysScroll() {
        var screen = Screen(rows, TableOptions(selects: false, hasGutter: false, hasScrollBar: false))
        screen.perform(.selectNext(2))
        #expect(screen.lines() == ["r3", "r4", "r5", "r6", "r7"])
        screen.perform(.selectLast)
        #expect(screen.table.selection == nil && screen.lines(after: 100).last == "r30")
    }

    @Test func anEmptyTableBearsEveryCommand() {
        var screen = Screen(Rows([], hasHeaders: false), width: 16)
        for command: TableCommand in [
            .selectNext(1), .selectPrevious(1), .pageDown(1), .selectFirst, .selectLast, .center, .scroll(lines: 1),
            .click(x: 0, y: 0), .dragScrollBar(y: 1), .selectNumber(1),
        ] { screen.perform(command) }
        #expect(screen.lines() == ["", "  Nothing here", "", "", ""])
    }

    @Test func enormousCountsAreHeldAtTheEdges() {
        var screen = Screen(rows)
        for command: TableCommand in [
            .selectNext(.max), .selectPrevious(.max), .pageDown(.max), .pageUp(.max), .halfPageDown(.max),
            .scroll(lines: .max), .scroll(lines: .min), .selectNumber(.max), .selectNumber(.min),
        ] { screen.perform(command) }
        #expect(screen.table.selection?.key == "r1")
    }
}
