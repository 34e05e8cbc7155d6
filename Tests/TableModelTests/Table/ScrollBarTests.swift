import ListChanges
import Testing

@testable import TableModel

@Suite struct ScrollBarTests {
    private let rows = Rows((0..<40).map { "r\($0)" }.joined(separator: " "))

    @Test func theThumbShowsWhatPartIsSeen() {
        var screen = Screen(rows, height: 8, TableOptions())
        #expect(bar(screen) == "▐▐      ")
        screen.perform(.selectLast)
        #expect(bar(screen) == "      ▐▐")
        screen.perform(.selectNumber(20))
        screen.perform(.center)
        #expect(bar(screen) == "   ▐▐   ")
    }

    @Test func thereIsNoneWhenEverythingIsSeen() {
        #expect(bar(Screen(Rows("a b c"), height: 5, TableOptions())) == "     ")
    }

    @Test func aWindowShowsItsPlaceInTheWholeList() {
        var window = rows
        window.rangePosition = RangePosition(offsetFromBeginning: 360, offsetFromEnd: 0, length: 40)
        let screen = Screen(window, height: 8, TableOptions(opensAt: .end))
        #expect(bar(screen) == "       ▐")
    }

    @Test func draggingGoesToThatPart() {
        var screen = Screen(rows, height: 8, TableOptions())
        screen.perform(.dragScrollBar(y: 7))
        #expect(screen.lines()[7].hasPrefix(" r39"))
        screen.perform(.dragScrollBar(y: 0))
        #expect(screen.lines()[0].hasPrefix(" r0"))
        screen.perform(.dragScrollBar(y: 4))
        #expect(bar(screen) == "   ▐▐   ")
    }

    private func bar(_ screen: Screen) -> String {
        let frame = screen.frame(after: 1000)
        return String((0..<frame.height).map { frame[frame.width - 1, $0].character ?? "?" })
    }
}

/// The bar of a list with rows of different heights.
@Suite struct TallRowTests {
    private let rows = Rows(
        [.init("", [.init("a", height: 1), .init("b", height: 30), .init("c", height: 1)])], hasHeaders: false)

    @Test func theBarCountsLinesAndNotRows() {
        var screen = Screen(rows, height: 8, TableOptions())
        screen.perform(.selectLast)
        screen.wait()
        screen.perform(.dragScrollBar(y: 0))
        #expect(bar(screen) == "▐▐      ")
        screen.perform(.scroll(lines: 12))
        #expect(screen.lines()[0] == "   b+11")
        #expect(bar(screen) == "   ▐▐   ", "in the middle of the list, which is the middle of one row")
    }

    @Test func draggingGoesIntoARow() {
        var screen = Screen(rows, height: 8, TableOptions())
        screen.perform(.selectLast)
        screen.wait()
        let tops = (1..<7).map { line in
            screen.perform(.dragScrollBar(y: line))
            return screen.lines()[0].prefix { $0 != "▐" }.trimmed
        }
        #expect(tops == ["b+2", "b+6", "b+9", "b+13", "b+16", "b+20"])
    }

    @Test func farScrollingCountsLines() {
        let rows = Rows([.init("", (0..<1000).map { .init("r\($0)", height: 3) })], hasHeaders: false)
        var screen = Screen(rows, height: 5)
        screen.perform(.scroll(lines: 1000))
        #expect(screen.lines()[0] == "   r333+1")
        screen.perform(.scroll(lines: -500))
        #expect(screen.lines()[0] == "   r166+2")
    }

    @Test func headersCountAsLines() {
        let rows = Rows(
            (0..<5).map { section in
                .init("s\(section)", (0..<10).map { .init("\(section).\($0)", height: 2) })
            })
        var screen = Screen(rows, height: 7, TableOptions(headersStick: false))
        // 105 lines, of which 98 can be at the top: one for each line of a bar of 99 lines.
        screen.resize(width: 10, height: 6)
        screen.perform(.scroll(lines: 21 * 3))
        #expect(screen.lines()[0].hasPrefix(" S3"))
        #expect(screen.table.topLine == 63)
        #expect(screen.table.listLines == 105)
        screen.perform(.dragScrollBar(y: 1))
        #expect(screen.table.topLine == 20, "a fifth of the 99 lines that can stand at the top, rounded")
    }

    @Test func aLargeChangeSetHasThemEstimatedAgain() {
        let rows = Rows([.init("", (0..<2000).map { .init("r\($0)", height: 1 + $0 % 2) })], hasHeaders: false)
        var screen = Screen(rows, height: 8, TableOptions(follows: []))
        screen.perform(.selectLast)
        screen.perform(.selectFirst)
        var after = rows
        after.sections[0].rows.removeSubrange(1000..<1900)
        screen.change(to: after)
        #expect(screen.table.heights.rows == 1100)
        #expect(screen.table.heights.runs.sum.measured == screen.table.items.count)
    }

    private func bar(_ screen: Screen) -> String {
        let frame = screen.frame(after: 1000)
        return String((0..<frame.height).map { frame[frame.width - 1, $0].character ?? "?" })
    }
}

extension StringProtocol {
    fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
