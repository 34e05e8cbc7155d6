import FileReading
import LiveTable
import Testing

@testable import Browser

@MainActor @Suite struct ListTests {
    @Test func aListIsReversed() throws {
        try inList("books") { scene in
            scene.type("gr")
            #expect(scene.text.contains("reversed"))
            scene.type("g")
            #expect(scene.screen.list.selectedTexts?.key == "book-499")
            scene.type("rg")
            #expect(scene.screen.list.selectedTexts?.key == "book-000")
        }
    }

    @Test func aCollectionIsSortedAsItWasStored() throws {
        try inList("books", changedBy: #"UPDATE "database2" SET rowid = 9999 WHERE "key" = 'book-000'"#) { scene in
            scene.type("sG")
            #expect(scene.screen.list.selectedTexts?.key == "book-000")
            #expect(scene.text.contains("as stored"))
            scene.type("s")
            #expect(scene.screen.list.selectedTexts?.key == "book-000")
            #expect(scene.screen.list.table.selectedPath == RowPath(section: 0, row: 0))
        }
    }

    @Test func aRangeShowsTheFirstOrTheLastRowsAndSaysWhere() throws {
        try inList("books") { scene in
            scene.type("R")
            #expect(scene.grid.cursor != nil && scene.hint.contains("Rows: all"))
            range(scene, "last 50")
            #expect(scene.text.contains("last 50 ▂▂▂"))
            #expect(scene.screen.list.rows?.numberOfRows(in: 0) == 50)
            scene.type("g")
            #expect(scene.screen.list.selectedTexts?.key == "book-447")
            scene.type("R")
            range(scene, "all")
            #expect(scene.screen.list.rows?.numberOfRows(in: 0) == 481)
            scene.type("R")
            range(scene, "some")
            #expect(scene.hint.contains("first 50"))
        }
    }

    @Test func theTitleSaysWhichRowIsSelectedWhileTheKeysMoveInTheList() throws {
        try inList("books") { scene in
            #expect(scene.text.contains("row 1 · 481 rows"))
            scene.type(":book-300")
            scene.press(.enter)
            let number = try #require(scene.screen.list.table.selectedPath).row + 1
            #expect(scene.text.contains("row \(number) · 481 rows"))
            scene.type("r")
            #expect(scene.text.contains("reversed · row \(482 - number) · 481 rows"))
            scene.type("rR")
            range(scene, "last 50")
            scene.type("G")
            #expect(scene.text.contains("row 50 · 50 of 481 rows"))
            scene.type("h")
            #expect(scene.text.contains(" 50 of 481 rows") && !scene.text.contains("row 50"))
        }
    }

    /// As `:` and `G` count them.
    @Test func theNumberOfARowCountsThoseOfTheGroupsBefore() throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path)
            scene.screen.tree.select(.view("order"), at: 0)
            scene.screen.open()
            scene.type("103G")
            #expect(scene.screen.list.table.selectedPath == RowPath(section: 1, row: 0))
            #expect(scene.text.contains("row 103 · 481 rows"))
        }
    }

    @Test func theNumberOfARowGivesWayToTheNameOfTheList() throws {
        try withFile("books", changedBy: "UPDATE database2 SET collection = 'a collection of a long name'") { path in
            let scene = try BrowserScene(path, width: 40, height: 12)
            scene.press(.enter)
            #expect(scene.text.contains("a collection of a long name   481 rows"), "\(scene.text)")
        }
    }

    @Test func aRowIsGoneToByItsNumberOrItsKey() throws {
        try inList("books") { scene in
            scene.type(":100")
            scene.press(.enter)
            #expect(scene.screen.list.table.selectedPath?.row == 99)
            scene.type(":book-300")
            scene.press(.enter)
            #expect(scene.screen.list.selectedTexts?.key == "book-300")
            scene.type(":book-3000")
            scene.press(.enter)
            #expect(scene.screen.list.selectedTexts?.key == "book-301")
            scene.type("12G")
            #expect(scene.screen.list.table.selectedPath?.row == 11)
        }
    }

    @Test func columnsAreChosen() throws {
        try inList("books") { scene in
            #expect(scene.lines[2].contains("genre") && !scene.lines[2].contains("rowid"))
            scene.type("c")
            #expect(scene.text.contains("┌─ Columns ─"))
            scene.press(.end, .up, .enter, .escape)
            #expect(scene.screen.state.menu == nil)
            #expect(scene.screen.list.rows?.columns.shown.last == .rowid)
        }
    }

    @Test func rowsAreMarked() throws {
        try inList("books") { scene in
            scene.type("mm")
            #expect(scene.lines.count { $0.contains("● book-00") } == 2)
            scene.type("kkm")
            #expect(scene.lines.count { $0.contains("● book-00") } == 1)
        }
    }

    @Test func theKeyAndThePathAreCopied() throws {
        try inList("books") { scene in
            scene.type("jy")
            #expect(scene.copied == "book-001")
            scene.type("Y")
            #expect(scene.copied == "books/book-001")
        }
    }

    @Test func whatIsTypedForAListOnItsWayWaitsForIt() throws {
        try withFile("books") { path in
            let later = Later()
            let scene = try BrowserScene(path, background: later)
            later.runAll()
            scene.type("j")
            scene.press(.enter)
            scene.type("/book-300")
            scene.press(.enter)
            scene.type("n12G:book-017")
            scene.press(.enter)
            #expect(scene.screen.list.rows == nil)
            later.runAll()
            #expect(scene.screen.state.prompt == nil && scene.screen.state.search?.pattern == "book-300")
            #expect(scene.screen.list.selectedTexts?.key == "book-017")
            scene.type("hj")
            scene.press(.enter)
            scene.type("12G")
            scene.press(.escape)
            later.runAll()
            #expect(scene.screen.state.focus == .tree && scene.screen.state.typedAhead.isEmpty)
        }
    }

    @Test func eachListRemembersItsRow() throws {
        try inList("books") { scene in
            scene.type("jjj")
            scene.press(.escape)
            scene.type("jk")
            #expect(scene.screen.list.selectedTexts?.key == "book-003")
        }
    }

    @Test func clicksSelectOpenAndScroll() throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path)
            scene.click(x: 40, y: 6)
            #expect(scene.screen.state.focus == .list)
            #expect(scene.screen.list.selectedTexts?.key == "book-002")
            scene.click(x: 40, y: 6)
            #expect(scene.screen.state.focus == .row)
            scene.screen.handle(.mouse(MouseEvent(.wheel(lines: 30), x: 40, y: 6)))
            #expect(!scene.text.contains("book-003"))
            #expect(scene.screen.list.selectedTexts?.key == "book-002")
            let bar = try #require(scene.screen.state.area(of: .list)).maxX - 1
            scene.click(x: bar, y: 21)
            scene.screen.handle(.mouse(MouseEvent(.drag(button: 1), x: bar, y: 21)))
            #expect(scene.text.contains("book-499"))
        }
    }

    private func range(_ scene: BrowserScene, _ text: String) {
        scene.screen.handle(.key(.character("u"), .control))
        scene.type(text)
        scene.press(.enter)
    }

    private func inList(_ name: String, changedBy sql: String..., body: @MainActor (BrowserScene) throws -> Void) throws
    {
        try withFile(name) { path in
            if !sql.isEmpty { try change(path, sql) }
            let scene = try BrowserScene(path)
            scene.press(.enter)
            try body(scene)
        }
    }
}
