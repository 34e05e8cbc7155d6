import Testing

@testable import TableModel

@Suite struct SectionTests {
    private let options = TableOptions(follows: .start, hasScrollBar: false)
    private let two = Rows([.init("away", [.init("eve")]), .init("offline", [.init("frank")])])
    private let three = Rows([
        .init("available", [.init("bob"), .init("carol")]), .init("away", [.init("eve")]),
        .init("offline", [.init("frank")]),
    ])

    @Test func aSectionComesAsOneBlock() {
        var screen = Screen(two, width: 14, height: 7, options)
        #expect(screen.lines() == [" AWAY       1", " eve", " OFFLINE    1", " frank", "", "", ""])
        screen.change(to: three)
        #expect(screen.lines(after: 50)[2...5] == [" AWAY       1", " eve", " OFFLINE    1", " frank"])
        #expect(
            screen.lines(after: 220)
                == [
                    " AVAILABLE  2", " bob", " carol", " AWAY       1", " eve", " OFFLINE    1", " frank",
                ])
    }

    @Test func aSectionGoesAsOneBlock() {
        var screen = Screen(three, width: 14, height: 7, options)
        screen.change(to: two)
        #expect(screen.lines(after: 50)[0...3] == [" AVAILABLE  2", " bob", " carol", " AWAY       1"])
        #expect(screen.lines(after: 102)[0...3] == ["", "", "", " AWAY       1"])
        #expect(screen.lines(after: 250) == [" AWAY       1", " eve", " OFFLINE    1", " frank", "", "", ""])
    }

    @Test func theLastOneOfASectionTakesItAlongAsItTravels() {
        var screen = Screen(two, width: 14, height: 6, options)
        screen.change(to: Rows([.init("offline", [.init("eve"), .init("frank")])]))
        #expect(screen.lines(after: 20)[1] == " eve")
        #expect(screen.lines(after: 310) == [" OFFLINE    2", " eve", " frank", "", "", ""])
    }

    @Test func theHeaderStaysAtTheTopWhileItsRowsScrollUnderIt() {
        var screen = Screen(three, width: 14, height: 3, options)
        screen.perform(.scroll(lines: 1))
        #expect(screen.lines() == [" AVAILABLE  2", " carol", " AWAY       1"])
        screen.perform(.scroll(lines: 1))
        #expect(screen.lines() == [" AVAILABLE  2", " AWAY       1", " eve"])
        screen.perform(.scroll(lines: 1))
        #expect(screen.lines() == [" AWAY       1", " eve", " OFFLINE    1"])
    }

    @Test func headersMayScrollAwayInstead() {
        var loose = options
        loose.headersStick = false
        var screen = Screen(three, width: 14, height: 3, loose)
        screen.perform(.scroll(lines: 1))
        #expect(screen.lines() == [" bob", " carol", " AWAY       1"])
    }

    @Test func anEmptySectionShowsItsHeader() {
        let rows = Rows([.init("away", []), .init("offline", [.init("frank")])])
        #expect(
            Screen(rows, width: 14, height: 3, options).lines() == [" AWAY       0", " OFFLINE    1", " frank"])
    }

    @Test func aLongTitleGivesWayToItsCount() {
        let rows = Rows([.init("conversations of last week", [.init("a")])])
        #expect(Screen(rows, width: 14, height: 2, options).lines() == [" CONVERSAT… 1", " a"])
        // Upper case makes it longer.
        let sharp = Rows([.init("ßßßßßßß", [.init("a")])])
        #expect(Screen(sharp, width: 14, height: 2, options).lines() == [" SSSSSSSSS… 1", " a"])
    }
}
