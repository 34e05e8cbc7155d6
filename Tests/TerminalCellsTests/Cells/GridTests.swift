import Testing

@testable import TerminalCells

@Suite struct GridTests {
    @Test func textIsClippedToItsRectangle() {
        var grid = Grid(width: 8, height: 2)
        grid.draw("abcdef", x: 0, y: 0, in: Rect(x: 2, y: 0, width: 3, height: 1))
        grid.draw("hidden", x: 0, y: 1, in: Rect(x: 0, y: 0, width: 8, height: 1))
        grid.draw("outside", x: 0, y: 7)
        #expect(grid.lines == ["  cde", ""])
    }

    @Test func halfAWideCharacterIsABlank() {
        var grid = Grid(width: 4, height: 2)
        grid.draw("漢字", x: -1, y: 0)
        grid.draw("abc漢", x: 0, y: 1)
        #expect(grid.lines == [" 字", "abc"])
        #expect(grid[0, 0].character == " ")
        #expect(grid[3, 1].character == " ")
    }

    @Test func writingOverHalfAWideCharacterBlanksTheOtherHalf() {
        var grid = Grid(width: 4, height: 1)
        grid.draw("漢字", x: 0, y: 0)
        grid.draw("x", x: 1, y: 0)
        #expect(grid.lines == [" x字"])
        grid.draw("y", x: 2, y: 0)
        #expect(grid.lines == [" xy"])
        grid.draw("漢", x: 1, y: 0)
        #expect(grid.lines == [" 漢"])
    }

    @Test func aCopyChangesTheStyleOfEachCell() {
        let (kept, changed, hidden) = (Style(.palette(1)), Style(.palette(2), .bold), Style(.palette(3)))
        func after(_ style: Style) -> Style? {
            style == hidden ? nil : style == changed ? Style(.palette(9), on: .palette(8)) : style
        }
        var random = SplitMix64(seed: 8)
        for _ in 0..<500 {
            let line = (0..<random.below(12)).map { _ in
                Grid.Cell(["a", "ö", " "][random.below(3)], [kept, changed, hidden][random.below(3)])
            }
            let x = random.below(16) - 4
            let clip = Rect(x: 1, y: 0, width: 8, height: 1)
            var (plain, styled) = (Grid(width: 10, height: 1), Grid(width: 10, height: 1))
            var asked: [Style] = []
            plain.copy(
                line.map { cell in after(cell.style).map { Grid.Cell(cell.text, $0) } ?? .blank }, x: x, y: 0, in: clip)
            styled.copy(line, x: x, y: 0, in: clip) {
                asked.append($0)
                return after($0)
            }
            #expect(styled == plain, "\(line) at \(x)")
            #expect(zip(asked, asked.dropFirst()).allSatisfy { $0 != $1 })
        }
    }

    @Test func randomDrawingLeavesNoHalfCharacters() {
        var random = SplitMix64(seed: 3)
        var grid = Grid(width: 9, height: 1)
        for _ in 0..<5000 {
            let text = ["漢", "字a", "ab", " ", "漢字漢"][random.below(5)]
            let clip = Rect(x: random.below(9) - 1, y: 0, width: random.below(9), height: 1)
            if random.percent(20) { grid.fill(clip) } else { grid.draw(text, x: random.below(12) - 2, y: 0, in: clip) }
            for x in 0..<grid.width {
                let isWide = grid[x, 0].character == "漢" || grid[x, 0].character == "字"
                let isCovered = x + 1 < grid.width && grid[x + 1, 0].character == nil
                #expect(isWide == isCovered)
            }
        }
    }

    @Test func runsFollowEachOther() {
        var grid = Grid(width: 10, height: 1)
        let end = grid.draw([Run("a\t", .plain), Run("b", Style(.palette(1)))], x: 1, y: 0)
        #expect(end == 10)
        #expect(grid.lines == [" a       b"])
        #expect(grid[9, 0].style == Style(.palette(1)))
    }

    @Test func rulesAndFillsStayInside() {
        var grid = Grid(width: 4, height: 3)
        grid.verticalRule(Rect(x: 1, y: 1, width: 1, height: 9))
        grid.horizontalRule(Rect(x: 2, y: 0, width: 9, height: 1))
        grid.fill(Rect(x: 3, y: 2, width: 1, height: 1), with: Grid.Cell("#"))
        #expect(grid.lines == ["  ──", " │", " │ #"])
    }
}

@Suite struct CellTextTests {
    @Test func aCellIsSixteenBytesWithoutPadding() {
        #expect(MemoryLayout<CellText>.size == CellText.capacity)
        #expect(MemoryLayout<Grid.Cell>.size == 16 && MemoryLayout<Grid.Cell>.stride == 16)
    }

    /// The last ones are packed.
    @Test(
        arguments: [
            "a", " ", "é", "e\u{301}\u{302}\u{303}", "漢", "👩‍💻", "🇩🇪", "\u{FFFD}", "👨‍👩‍👧‍👦", "👩🏽‍❤️‍💋‍👨🏿",
            "🏳️‍🌈", "🕵🏿‍♀️", "\u{1FAEA}\u{200D}\u{1FAF8}\u{200D}〰️",
        ] as [Character])
    func aCharacterComesOutAsItWentIn(_ character: Character) {
        #expect(Grid.Cell(character).character == character)
        #expect(!Grid.Cell(character).isCovered)
        var cell = Grid.Cell(nil)
        #expect(cell.isCovered && cell.character == nil)
        cell.character = character
        #expect(cell == Grid.Cell(character))
    }

    @Test(
        arguments: [
            ("👩🏽‍👩‍👩‍👩‍👩", "👩🏽"), ("👨‍👩‍👧‍👦‍", "👨"), ("👨️🏽‍👩‍👧", "👨️🏽"),
            ("\u{11013}\u{11038}\u{11001}\u{11002}", "\u{11013}\u{11038}\u{11001}"),
        ] as [(Character, Character)])
    func ofAClusterTooLongToKeepItsFirstScalarsAre(_ cluster: Character, _ kept: Character) {
        #expect(Grid.Cell(cluster).character == kept)
    }
}

@Suite struct StyleTests {
    @Test func eachPartOfAStyleKeepsTheOthers() {
        let colors: [Color] = [.terminal] + (0...255).map { .palette($0) }
        for (index, color) in colors.enumerated() {
            let attributes = Attributes(rawValue: UInt8(index % 64))
            var style = Style(color, on: colors[colors.count - 1 - index], attributes)
            #expect(style.foreground == color && style.background == colors[colors.count - 1 - index])
            #expect(style.attributes == attributes)
            style.background = color
            style.foreground = .palette(7)
            style.attributes = .bold
            #expect(style == Style(.palette(7), on: color, .bold))
        }
    }
}
