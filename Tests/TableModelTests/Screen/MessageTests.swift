import Testing

@testable import TableModel

@Suite struct MessageTests {
    private let text = "The file is locked. Another program holds it."

    @Test func whatFitsStandsInTheHintLine() {
        #expect(lines(50, 6) == ["title", "", "", "", "", " The file is locked. Another program holds it."])
    }

    @Test func whatDoesNotFitIsWrappedOverTheLinesAbove() {
        #expect(lines(20, 6) == ["title", "", "", " The file is", " locked. Another", " program holds it."])
        #expect(
            lines(20, 8, above: 5) == [
                "title", "", " The file is", " locked. Another", " program holds it.", "", "", "",
            ])
    }

    @Test func whatIsTooLongForTheScreenIsCutAndTheHintLineSaysHowToOpenIt() {
        #expect(lines(14, 4) == ["title", " The file is", " locked.…", " ! shows all"])
        #expect(lines(14, 5, above: 2) == ["title", " The file is…", "", "", " ! shows all"])
    }

    @Test(arguments: 1...30, 1...8) func aMessageStaysInsideTheScreen(width: Int, height: Int) {
        for above in [nil, 0, height / 2, height] { #expect(lines(width, height, above: above).count == height) }
    }

    @Test func anOverlayHasAllOfIt() {
        let overlay = Overlay("Message", text: text, in: (20, 4), theme: Theme())
        #expect(overlay.lines.map(\.text) == ["The file is", "locked. Another", "program holds", "it."])
    }

    @Test func aWrappedMessageStaysInThePane() {
        var grid = Grid(width: 30, height: 6)
        let layout = ScreenLayout(width: 30, height: 6, panes: [])
        let pane = Rect(x: 10, y: 5, width: 20, height: 1)
        layout.drawMessage(text, .plain, above: pane, remedy: "", into: &grid, theme: Theme())
        #expect(
            grid.lines == [
                "", "", "           The file is", "           locked. Another", "           program holds it.", "",
            ])
    }

    private func lines(_ width: Int, _ height: Int, above: Int? = nil) -> [String] {
        var grid = Grid(width: width, height: height)
        let layout = ScreenLayout(width: width, height: height, panes: [])
        layout.draw(into: &grid, title: Line(text: "title"), hint: [], theme: Theme())
        // Blank instead of the rules of a high screen.
        layout.drawMessage(
            text, .plain, above: above.map { Rect(x: 0, y: $0, width: width, height: 1) }, remedy: "! shows all",
            into: &grid, theme: Theme())
        return grid.lines
    }
}
