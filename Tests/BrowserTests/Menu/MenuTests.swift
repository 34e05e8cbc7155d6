import LiveTable
import Testing

@testable import Browser

@Suite struct MenuTests {
    private let screen = Rect(x: 0, y: 0, width: 30, height: 8)

    private func lines(_ menu: Menu) -> [String] {
        var grid = Grid(width: screen.width, height: screen.height)
        menu.draw(into: &grid, in: screen, theme: Theme())
        return grid.lines
    }

    @Test func aMenuIsABoxWithTheChoiceThatIsOn() {
        let menu = Menu("Order", [.init(title: "key"), .init(title: "rowid", detail: "as stored", isOn: true)])
        let shown = lines(menu)
        #expect(shown.contains { $0.contains("┌─ Order ─") })
        #expect(shown.contains { $0.contains("│    key") })
        #expect(shown.contains { $0.contains("│ ▌● rowid   as stored │") })
    }

    @Test func whatIsSelectedIsSeenInAMenuLongerThanTheScreen() {
        var menu = Menu("Columns", (0..<40).map { .init(title: "column \($0)") }, isMultiple: true)
        #expect(menu.handle(.last) == .nothing)
        #expect(lines(menu).contains { $0.contains("▌[ ] column 39") })
        #expect(menu.handle(.open) == .chosen(39))
        #expect(menu.handle(.first) == .nothing)
        #expect(menu.handle(.next, count: 3) == .nothing)
        #expect(menu.handle(.fold) == .chosen(3))
        #expect(menu.handle(.cancel) == .closed)
    }

    @Test func aClickChoosesAndOneBesideCloses() {
        var menu = Menu("Order", [.init(title: "key"), .init(title: "rowid")])
        let y = lines(menu).firstIndex { $0.contains("rowid") }!
        #expect(menu.click(x: 15, y: y, in: screen, theme: Theme()) == .chosen(1))
        #expect(menu.click(x: 0, y: 0, in: screen, theme: Theme()) == .closed)
    }
}
