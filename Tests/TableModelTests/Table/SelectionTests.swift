import ListChanges
import Testing

@testable import TableModel

@Suite struct SelectionTests {
    @Test func theSelectedRowHasABarAndATintedBackground() {
        var screen = Screen(Rows("a b c"))
        screen.select("b")
        #expect(screen.lines() == [" a", "▌b", " c", "", ""])
        #expect(screen.frame()[5, 1].style.background != .terminal)
        screen.table.isFocused = false
        #expect(screen.frame()[5, 1].style.background == .terminal)
        #expect(screen.lines()[1] == "▌b", "without the focus the bar alone says what is selected")
    }

    @Test func selectionMarkIsBesideTheContentNotBesideDecorations() {
        struct Dated: TableSource {
            let numberOfSections = 1
            func numberOfRows(in section: Int) -> Int { 1 }
            func key(at path: RowPath) -> RowKey { RowKey(collection: "", key: "a") }
            func path(of key: RowKey) -> RowPath? { RowPath(section: 0, row: 0) }
            func cell(at path: RowPath, width: Int) -> RowCell {
                RowCell([Line(text: "- Tuesday -"), Line(text: "hi")], decorations: 1)
            }
        }
        var table = Table()
        table.resize(width: 14, height: 2, source: Dated(), at: 0)
        table.select(RowPath(section: 0, row: 0), source: Dated(), at: 0)
        var grid = Grid(width: 14, height: 2)
        table.draw(into: &grid, in: grid.bounds, at: 0)
        #expect(grid.lines == [" - Tuesday -", "▌hi"])
    }

    @Test func selectionFollowsItsRowNotItsIndex() {
        var screen = Screen(Rows("a b c d"))
        screen.select("c")
        screen.change(to: Rows("x y c a b d"))
        screen.wait()
        #expect(screen.table.selection?.key == "c")
        #expect(screen.lines() == [" y", "▌c", " a", " b", " d"])
    }

    @Test func aRefreshNeverScrollsItIntoView() {
        var screen = Screen(Rows("a b c d e f g h i j"), height: 3)
        screen.select("a")
        screen.perform(.scroll(lines: 5))
        #expect(screen.lines() == [" f", " g", " h"])
        screen.change(to: Rows("a2 a b c d e f g h i j"))
        screen.wait()
        #expect(screen.lines() == [" f", " g", " h"])
        #expect(screen.table.selection?.key == "a")
    }

    @Test func whenItIsGoneInARefreshTheNextRowThatIsThereIsSelected() {
        var screen = Screen(Rows("a b c d e f g h"))
        screen.select("d")
        screen.rows = Rows("a e f g h")
        screen.reload()
        #expect(screen.table.selection?.key == "e")
        screen.select("h")
        screen.rows = Rows("e f x y")
        screen.reload()
        #expect(screen.table.selection?.key == "f")
    }

    @Test func whenItIsDeletedTheRowInItsPlaceIsSelected() {
        var screen = Screen(Rows("a b c"))
        screen.select("b")
        screen.change(to: Rows("a c"))
        #expect(screen.table.selection?.key == "c")
        screen.change(to: Rows("a"))
        #expect(screen.table.selection?.key == "a")
        screen.change(to: Rows([], hasHeaders: false))
        #expect(screen.table.selection == nil)
    }

    @Test func whenItsSectionGoesTheLastRowOfTheOneBeforeIsSelected() {
        let a = Rows.Section("A", [.init("a1"), .init("a2")])
        let b = Rows.Section("B", [.init("b1")])
        let c = Rows.Section("C", [.init("c1"), .init("c2")])
        var screen = Screen(Rows([a, b, c]), height: 9)
        screen.select("b1")
        screen.change(to: Rows([a, c]))
        #expect(screen.table.selection?.key == "a2")
        screen.change(to: Rows([c]))
        #expect(screen.table.selection?.key == "c1", "there is none before, so the first of the next")
    }

    @Test func anEmptySectionBeforeIsPassedOver() {
        var screen = Screen(
            Rows([.init("A", [.init("a")]), .init("B", []), .init("C", [.init("c")]), .init("D", [.init("d")])]),
            height: 9)
        screen.select("c")
        screen.change(to: Rows([.init("A", [.init("a")]), .init("B", []), .init("C", []), .init("D", [.init("d")])]))
        #expect(screen.table.selection?.key == "a")
    }

    @Test func aReloadKeepsItWhereverItIs() {
        var screen = Screen(Rows("a b c"))
        screen.select("b")
        screen.rows = Rows("c a x b")
        screen.table.reload(source: screen.rows, at: screen.time)
        #expect(screen.table.selection?.key == "b" && screen.table.selectedPath == RowPath(section: 0, row: 3))
    }
}
