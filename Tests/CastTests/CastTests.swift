import Foundation
import TerminalCells
import Testing

@testable import terminal_cast

@Suite struct CastTests {
    @Test func aScriptIsItsSteps() throws {
        let script = try CastScript(
            "# a comment\nsize 100 30\nrun yap chat --demo\nwait two words\n\ntype it's \"x\"\nkeys Enter C-c\npause 0.5\nstill"
        )
        #expect(script.size == (100, 30) && script.command == "yap chat --demo")
        #expect(
            script.steps == [
                .wait("two words"), .type("it's \"x\""), .keys(["Enter", "C-c"]), .pause(0.5), .still,
            ])
    }

    @Test(arguments: ["run x\njump", "run x\nsize 0 5", "run x\npause -1", "run x\nwait", "wait x"])
    func aLineThatIsNoStepIsAnError(text: String) {
        #expect(throws: CastError.self) { try CastScript(text) }
    }

    @Test func aRecordingIsJSONAndDividesNoCharacter() throws {
        var cast = Asciicast(width: 80, height: 24, title: "a \"b\"")
        let bytes = Array("\u{1B}[1mé漢👍\\\n".utf8)
        for (index, byte) in bytes.enumerated() { cast.add([byte], at: Double(index)) }
        cast.add([0xFF, 0x80], at: 99)
        let lines = try cast.lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) }
        let header = try #require(lines[0] as? [String: Any])
        #expect(
            header["version"] as? Int == 2 && header["width"] as? Int == 80 && header["title"] as? String == "a \"b\"")
        let events = lines.dropFirst().compactMap { ($0 as? [Any])?[2] as? String }
        #expect(events.joined() == "\u{1B}[1mé漢👍\\\n\u{FFFD}\u{FFFD}")
        #expect(events.contains("👍"))
    }

    @Test func styledTextIsAGrid() {
        let text = "\u{1B}[1;38;5;74mab\u{1B}[0m c\n\u{1B}[7m漢\u{1B}[27m\u{1B}]8;;x\u{1B}\\d\u{1B}[91;48;5;236me"
        let grid = StyledText.grid(text, width: 6, height: 2)
        #expect(grid.lines == ["ab c", "漢de"])
        #expect(grid[0, 0].style == Style(.palette(74), .bold) && grid[3, 0].style == .plain)
        #expect(grid[0, 1].style.attributes == .reverse && grid[2, 1].style == .plain)
        #expect(grid[3, 1].style == Style(.palette(9), on: .palette(236)))
    }

    @Test func aPictureHasTheTextInItsColours() throws {
        var grid = Grid(width: 12, height: 2)
        grid.draw(
            [Run("a<b ", Style(.palette(196), .bold)), Run("漢 &", Style(.terminal, on: .palette(21)))], x: 0, y: 0)
        let svg = Picture(grid: grid).svg
        #expect(svg.contains("fill=\"#ff0000\" font-weight=\"bold\">a&lt;b </text>"))
        #expect(svg.contains(">漢 &amp;</text>") && svg.contains("fill=\"#0000ff\""))
        #expect(svg.components(separatedBy: "<text").count == 3, "blanks are not written")
        #expect(closesItsTags(svg))
    }

    @Test func rulesReachFromEdgeToEdge() {
        var grid = Grid(width: 3, height: 2)
        grid.draw([Run("─┬─")], x: 0, y: 0)
        grid.draw([Run(" │ ")], x: 0, y: 1)
        let svg = Picture(grid: grid).svg
        #expect(svg.contains("M12 21H20.4M20.4 21H28.8M24.6 21V30M28.8 21H37.2"))
        #expect(svg.contains("M24.6 30V48"), "it begins where the one above ends")
        #expect(!svg.contains("<text"))
    }

    /// Whether every tag of a document is closed.
    private func closesItsTags(_ text: String) -> Bool {
        var open: [Substring] = []
        for tag in text.matches(of: /<(\/?)([a-z]+)[^>]*?(\/?)>/) {
            if !tag.3.isEmpty { continue }
            if tag.1.isEmpty { open.append(tag.2) } else if open.popLast() != tag.2 { return false }
        }
        return open.isEmpty
    }
}
