import Testing

@testable import TableModel

@Suite struct OverlayTests {
    private let overlay = Overlay("Keys", ["j   next", "k   previous", "q   quit"].map { Line(text: $0) })

    @Test func overlayIsDrawnInTheMiddle() {
        var grid = Grid(width: 22, height: 7)
        grid.fill(grid.bounds, with: Grid.Cell("."))
        overlay.draw(into: &grid, in: grid.bounds, theme: Theme())
        #expect(
            grid.lines
                == [
                    "......................",
                    "...┌─ Keys ───────┐...",
                    "...│ j   next     │...",
                    "...│ k   previous │...",
                    "...│ q   quit     │...",
                    "...└──────── Esc ─┘...",
                    "......................",
                ])
    }

    @Test func whatDoesNotFitIsScrolledTo() {
        var grid = Grid(width: 18, height: 4)
        var overlay = overlay
        overlay.draw(into: &grid, in: grid.bounds, theme: Theme())
        #expect(grid.lines[1...] == [" │ j   next     │", " │ k   previous │", " └─ 1-2 of 3 ───┘"])
        overlay.scroll(by: 5, in: grid.bounds, theme: Theme())
        overlay.draw(into: &grid, in: grid.bounds, theme: Theme())
        #expect(grid.lines[1...] == [" │ k   previous │", " │ q   quit     │", " └─ 2-3 of 3 ───┘"])
    }

    @Test func overlayScrollsAndPassesOtherKeysOn() {
        let screen = Rect(x: 0, y: 0, width: 18, height: 4)
        var overlay = overlay
        let offsets = [TableCommand.selectNext(), .selectFirst, .pageDown(999_999_999), .center].map { command in
            overlay.perform(command, in: screen, theme: Theme()) ? overlay.offset : nil
        }
        #expect(offsets == [1, 0, 1, nil])
    }

    @Test func onAScreenTooSmallItIsNotDrawn() {
        var grid = Grid(width: 4, height: 2)
        overlay.draw(into: &grid, in: grid.bounds, theme: Theme())
        #expect(grid.lines == ["", ""])
    }
}
