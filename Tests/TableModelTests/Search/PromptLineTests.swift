import Testing

@testable import TableModel

@Suite struct PromptLineTests {
    private enum Question: String, PromptQuestion {
        case search = "/"
        case filter = "&"

        var label: String { rawValue }
    }

    @Test func eachKeyIsAPattern() {
        var line = PromptLine(Question.search)
        #expect(line.handle(.key(.character("a"))) == .typed("a"))
        #expect(line.handle(.key(.character("b"))) == .typed("ab"))
        #expect(line.handle(.key(.enter)) == .accepted("ab"))
    }

    @Test func promptIsCancelledByEscAndByDeletingItsSign() {
        var line = PromptLine(Question.filter, TextField(history: ["bob"]))
        #expect(line.handle(.key(.up)) == .typed("bob"))
        #expect(line.handle(.key(.character("u"), .control)) == .typed(""))
        #expect(line.handle(.key(.backspace)) == .cancelled)
        #expect(line.handle(.key(.escape)) == .cancelled)
    }

    @Test func aPasteWithoutRoomIsSaidUntilTheNextKey() {
        let (room, long) = (String(repeating: "x", count: 10_000), String(repeating: "x", count: 10_001))
        for (before, event, isCut) in [
            ("", InputEvent.paste(room), false), ("", .paste(long), true), ("y", .paste(room), true),
            ("", .paste("short…", missing: 7), true), (room, .key(.character("y")), true),
        ] {
            var line = PromptLine(Question.filter, TextField(before))
            _ = line.handle(event)
            func draw() -> Bool {
                var grid = Grid(width: 60, height: 1)
                line.draw(into: &grid, in: grid.bounds, theme: Theme())
                return grid.lines[0].hasPrefix("&") && grid.lines[0].contains("The rest has no room.")
            }
            #expect(draw() == isCut && line.field.isCut == isCut, "\(line.field.text.suffix(20))")
            _ = line.handle(.key(.backspace))
            #expect(!draw() && !line.field.isCut)
        }
    }

    @Test func itsLabelStandsBeforeTheText() {
        var grid = Grid(width: 12, height: 1)
        var line = PromptLine(Question.filter)
        _ = line.handle(.paste("漢字"))
        line.draw(into: &grid, in: grid.bounds, theme: Theme())
        #expect(grid.lines == ["&漢字"])
        #expect(grid.cursor?.x == 5)
    }
}
