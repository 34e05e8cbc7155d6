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

    /// What a key does is read whole, also on a narrow screen.
    @Test func whatIsTooWideIsFolded() {
        var box = Overlay(
            "Keys", [[Run("Tab", Style(.terminal, .bold)), Run("   the next one of the panes")], [Run("q     quit")]])
        var grid = Grid(width: 22, height: 7)
        box.fold(in: grid.bounds, theme: Theme())
        box.draw(into: &grid, in: grid.bounds, theme: Theme())
        #expect(
            grid.lines
                == [
                    "", "┌─ Keys ─────────────┐", "│ Tab   the next one │", "│       of the panes │",
                    "│ q     quit         │", "└────────────── Esc ─┘", "",
                ])
        var wide = Grid(width: 60, height: 5)
        box.fold(in: wide.bounds, theme: Theme())
        box.draw(into: &wide, in: wide.bounds, theme: Theme())
        #expect(wide.lines[1].contains("Tab   the next one of the panes"))
        // A search counts the lines that are seen.
        box.fold(in: grid.bounds, theme: Theme())
        box.beginSearch()
        box.typeSearch(.paste("quit"), in: Rect(x: 0, y: 0, width: 22, height: 4), theme: Theme())
        #expect(box.search?.found == 2 && box.offset > 0)
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

/// What is searched for in the lines of a box.
@Suite struct OverlaySearchTests {
    private let screen = Rect(x: 0, y: 0, width: 40, height: 6)
    private var lines: Overlay {
        Overlay("Keys", (0..<20).map { Line(text: $0 % 7 == 5 ? "Line \($0) of a box with a long line" : "x") })
    }

    private func typed(_ text: String, _ keys: Key..., in overlay: Overlay) -> Overlay {
        var overlay = overlay
        if !overlay.isSearchTyped { overlay.beginSearch() }
        for key in text.map({ Key.character($0) }) + keys {
            overlay.typeSearch(.key(key), in: screen, theme: Theme())
        }
        return overlay
    }

    private func drawn(_ overlay: Overlay) -> [String] {
        var grid = Grid(width: 40, height: 6)
        overlay.draw(into: &grid, in: screen, theme: Theme())
        return grid.lines
    }

    @Test func theFirstMatchIsShownWhileItIsTyped() {
        let overlay = typed("line", in: lines)
        #expect(overlay.isSearchTyped && drawn(overlay).contains { $0.contains("▌Line 5 of") })
        #expect(drawn(overlay).last?.contains(" /line") == true, "\(drawn(overlay))")
        #expect(drawn(typed("q", in: overlay)).last?.contains("not found") == true)
        #expect(typed("q", in: overlay).offset == 0)
    }

    @Test func itGoesToTheNextAndThePreviousMatchAndAround() {
        var overlay = typed("LINE", .enter, in: lines)
        #expect(!overlay.isSearchTyped && overlay.offset == 3)
        var shown: [Int?] = []
        for direction in [RowSearch.Direction.forward, .forward, .backward, .backward, .backward] {
            overlay.goToMatch(direction, in: screen, theme: Theme())
            shown.append(overlay.search?.found)
        }
        #expect(shown == [12, 19, 12, 5, 19])
        #expect(drawn(overlay).contains { $0.contains("▌Line 19 of") })
    }

    @Test func escLeadsBackToWhereOneWas() {
        var overlay = lines
        overlay.scroll(by: 2, in: screen, theme: Theme())
        #expect(typed("19", in: overlay).offset == 16)
        #expect(typed("19", .escape, in: overlay) == overlay)
        #expect(typed("", .enter, in: overlay) == overlay)
        #expect(typed("1", .backspace, .backspace, in: overlay) == overlay)
    }
}
