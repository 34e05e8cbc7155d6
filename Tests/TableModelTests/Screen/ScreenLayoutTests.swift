import Testing

@testable import TableModel

@Suite struct ScreenLayoutTests {
    private let two = [ScreenLayout.Pane(least: 6), ScreenLayout.Pane(least: 8, share: 1)]

    @Test func aScreenHasATitlePanesAndAHint() {
        #expect(
            screen(width: 20, height: 10)
                == [
                    " chat          alice", "──────┬─────────────", "      │", "      │", "      │", "      │",
                    "      │",
                    "      │", "──────┴─────────────", " q quit",
                ])
    }

    @Test func aLowScreenSavesTheRules() {
        #expect(screen(width: 20, height: 5) == [" chat          alice", "      │", "      │", "      │", " q quit"])
        #expect(screen(width: 20, height: 1) == ["      │"])
    }

    @Test func onANarrowScreenTheFocusedPaneIsLeft() {
        let layout = ScreenLayout(width: 12, height: 5, panes: two, focused: 0)
        #expect(layout.panes.map(\.width) == [12, 0])
        #expect(ScreenLayout(width: 12, height: 5, panes: two, focused: 1).panes.map(\.width) == [0, 12])
    }

    @Test func panesShareWhatIsLeft() {
        let panes = [ScreenLayout.Pane(least: 10), .init(least: 10, share: 2), .init(least: 10, share: 1)]
        let layout = ScreenLayout(width: 62, height: 20, panes: panes)
        #expect(layout.panes.map(\.width) == [10, 30, 20])
        #expect(layout.panes.map(\.x) == [0, 11, 42])
    }

    @Test func everyColumnBelongsToAPaneOrARule() {
        for width in 1..<80 {
            let panes = [ScreenLayout.Pane(least: 9, share: 1), .init(least: 14, share: 3), .init(least: 5)]
            let shown = ScreenLayout(width: width, height: 9, panes: panes).panes.filter { $0.width > 0 }
            #expect(shown.reduce(shown.count - 1) { $0 + $1.width } == width, "\(width)")
        }
    }

    @Test func asciiHasPlainRules() {
        let lines = screen(width: 20, height: 10, Theme(unicode: .ascii))
        #expect(lines[1] == "------+-------------" && lines[2] == "      |")
    }

    private func screen(width: Int, height: Int, _ theme: Theme = Theme()) -> [String] {
        var grid = Grid(width: width, height: height)
        let layout = ScreenLayout(width: width, height: height, panes: two)
        layout.draw(
            into: &grid, title: Line(text: " chat"), status: Line(text: "alice"), hint: Line(text: " q quit"),
            theme: theme)
        return grid.lines
    }
}
