import ListChanges
import Testing

@testable import TableModel

@Suite struct StatesTests {
    @Test func nothingHereIsSaid() {
        let screen = Screen(Rows([], hasHeaders: false), width: 20, TableOptions(emptyText: "No messages"))
        #expect(screen.lines() == ["", "    No messages", "", "", ""])
    }

    @Test func aSearchForRowsShowsItsProgress() {
        var screen = Screen(Rows("a b"), width: 20)
        screen.table.progress = .init("Registering view", fraction: 0.25)
        #expect(screen.lines() == ["", "  Registering view", "  ████░░░░░░░░░░░░", "", ""])
        screen.table.progress = .init("Reading")
        #expect(screen.lines() == ["", "      Reading", "", "", ""])
        screen.table.progress = nil
        #expect(screen.lines()[0] == " a")
    }

    @Test func asciiHasNoOtherSigns() {
        var screen = Screen(
            Rows((0..<20).map { "r\($0)" }.joined(separator: " ")), width: 24, height: 4,
            TableOptions(theme: Theme(unicode: .ascii)))
        screen.select("r1")
        screen.change(to: Rows((0..<22).map { "r\($0)" }.joined(separator: " ")))
        #expect(screen.lines(after: 500) == [" r0                    #", ">r1", " r2", " r3      v 2 new below"])
    }

    @Test func aTableOfAnySizeDraws() {
        let rows = Rows([.init("A", [.init("a"), .init("漢字", height: 3)]), .init("B", [.init("b")])])
        for width in 0..<6 {
            for height in 0..<6 {
                var screen = Screen(rows, width: width, height: height, TableOptions())
                screen.select("b")
                screen.change(to: Rows([.init("B", [.init("b"), .init("c")])]))
                for time in [0.0, 50, 100, 150, 300] { #expect(screen.lines(after: time).count == height) }
            }
        }
    }

    @Test func aStateIsDrawnInsideItsRectangle() {
        var screen = Screen(Rows("a b c d e f g h"), width: 6, height: 4)
        screen.change(to: Rows("x a b c d e f g h"))
        for time in [0.0, 40, 80, 160] {
            var grid = Grid(width: 12, height: 8)
            grid.fill(grid.bounds, with: Grid.Cell("."))
            screen.table.draw(into: &grid, in: Rect(x: 3, y: 2, width: 6, height: 4), at: screen.time + time / 1000)
            let outside = grid.lines.enumerated().flatMap { y, line in
                line.enumerated().filter { x, _ in !Rect(x: 3, y: 2, width: 6, height: 4).contains(x: x, y: y) }.map(
                    \.element)
            }
            #expect(outside.allSatisfy { $0 == "." })
            #expect(!grid.lines[2].dropFirst(3).prefix(6).contains("."))
        }
    }

    @Test func aReversedListInsertsAtItsTop() {
        let options = TableOptions(follows: .start, hasScrollBar: false)
        var screen = Screen(Rows("c b a"), height: 4, options)
        screen.change(to: Rows("d c b a"))
        #expect(screen.lines(after: 60) == ["", " c", " b", " a"])
        #expect(screen.lines(after: 300) == [" d", " c", " b", " a"])
    }

    @Test func whenAListIsReversedItsRowsTravelPastEachOther() {
        var screen = Screen(Rows("a b c d"), height: 4)
        screen.change(to: Rows("d c b a"))
        #expect(screen.lines() == [" a", " b", " c", " d"])
        #expect(screen.lines(after: 250) == [" d", " c", " b", " a"])
    }

    @Test func aWindowThatSlidesLosesARowAtOneEdgeAndGainsOneAtTheOther() {
        var screen = Screen(Rows("a b c"), height: 3, TableOptions(opensAt: .end, hasScrollBar: false))
        screen.change(to: Rows("b c d"))
        #expect(screen.lines() == [" a", " b", " c"])
        #expect(screen.lines(after: 310) == [" b", " c", " d"])
    }

    @Test func transitionsTellWhatMoves() {
        var screen = Screen(Rows("a b c"))
        screen.change(to: Rows("a c d"))
        let moving = screen.table.transitions(at: screen.time + 0.05)
        #expect(moving.map { $0.key?.key ?? "-" } == ["b", "c", "d"])
        #expect(moving.map(\.isLeaving) == [true, false, false])
        #expect(moving[1].fromLine == 2 && moving[1].toLine == 1)
        #expect(screen.table.transitions(at: screen.time + 2).isEmpty)
    }

    @Test func finishingPutsEverythingInItsPlace() {
        var screen = Screen(Rows("a b c"))
        screen.change(to: Rows("a x c b"))
        screen.table.finishAnimation()
        #expect(screen.lines() == [" a", " x", " c", " b", ""])
        #expect(screen.table.nextFrame(after: screen.time) == nil)
    }
}
