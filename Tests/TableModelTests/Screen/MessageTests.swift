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

    private func lines(_ width: Int, _ height: Int, above: Int? = nil) -> [String] {
        var grid = Grid(width: width, height: height)
        let layout = ScreenLayout(width: width, height: height, panes: [])
        layout.draw(into: &grid, title: Line(text: "title"), hint: [], theme: Theme())
        // Blank instead of the rules of a high screen.
        layout.drawMessage(text, .plain, above: above, remedy: "! shows all", into: &grid, theme: Theme())
        return grid.lines
    }
}
