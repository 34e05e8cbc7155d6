import Testing

@testable import TableModel

@Suite struct SearchLineTests {
    @Test func eachKeyIsAPattern() {
        var line = SearchLine(.search)
        #expect(line.handle(.key(.character("a"))) == .typed("a"))
        #expect(line.handle(.key(.character("b"))) == .typed("ab"))
        #expect(line.handle(.key(.enter)) == .accepted("ab"))
    }

    @Test func itIsCancelledByEscAndByDeletingItsSign() {
        var line = SearchLine(.filter, history: ["bob"])
        #expect(line.handle(.key(.up)) == .typed("bob"))
        #expect(line.handle(.key(.character("u"), .control)) == .typed(""))
        #expect(line.handle(.key(.backspace)) == .cancelled)
        #expect(line.handle(.key(.escape)) == .cancelled)
    }

    @Test func itsSignSaysWhichItIs() {
        var grid = Grid(width: 12, height: 1)
        var line = SearchLine(.filter)
        _ = line.handle(.paste("漢字"))
        line.draw(into: &grid, in: grid.bounds, theme: Theme())
        #expect(grid.lines == ["&漢字"])
        #expect(grid.cursor?.x == 5)
    }
}
