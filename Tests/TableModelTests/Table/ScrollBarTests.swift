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
