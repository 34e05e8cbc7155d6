import FileReading
import LiveTable
import SQLiteBridge
import Testing

@testable import Browser

@MainActor @Suite struct FullTextTests {
    private static let index = [
        "CREATE VIRTUAL TABLE fts_words USING fts4(title, genre)",
        "INSERT INTO fts_words (docid, title, genre) SELECT rowid, key, CASE rowid % 2 WHEN 0 THEN 'even' ELSE 'odd' END FROM database2",
        "INSERT INTO yap2 VALUES ('words', 'class', 'YapDatabaseFullTextSearch')",
    ]

    @Test func aQueryShowsTheRowsThatMatchAndEscAllOthers() throws {
        try inFile(Self.index) { path, scene in
            let expected = try keys(path, "fts_words MATCH 'even'")
            scene.type("F")
            #expect(scene.hint.contains("Match in words:") && scene.grid.cursor != nil)
            scene.type("even")
            scene.press(.enter)
            #expect(scene.text.contains("words · even") && scene.text.contains(" \(expected.count) rows"))
            #expect(scene.screen.tree.selected == .fullText("words") && scene.screen.state.focus == .list)
            #expect(scene.screen.list.selectedTexts?.key == expected.first)
            scene.type("G")
            #expect(scene.screen.list.selectedTexts?.key == expected.last)
            scene.type("F")
            #expect(scene.hint.contains("Match in words: even"))
            scene.type(" OR odd")
            scene.press(.enter)
            #expect(scene.text.contains(" 481 rows"))
            scene.press(.escape)
            #expect(scene.screen.list.subject == .fullText("words", matching: nil))
            scene.press(.escape)
            #expect(scene.screen.state.focus == .tree)
        }
    }

    @Test func aQueryThatMeansNothingIsSaidAndCanBeMended() throws {
        try inFile(Self.index) { _, scene in
            scene.type("F\"")
            scene.press(.enter)
            #expect(scene.text.contains("\"\"\" is not a query"), "\(scene.text)")
            scene.type("F")
            scene.screen.handle(.key(.character("u"), .control))
            scene.type("even")
            scene.press(.enter)
            #expect(scene.text.contains(" 242 rows"))
        }
    }

    @Test func whereThereIsNoFullTextIndexThatIsSaid() throws {
        try inFile([]) { _, scene in
            scene.type("F")
            #expect(scene.screen.state.prompt == nil && scene.hint.contains("no full-text index"))
        }
        let second = Self.index.map { $0.replacing("words", with: "others") }
        try inFile(Self.index + second) { _, scene in
            scene.type("F")
            #expect(scene.screen.state.prompt == nil && scene.hint.contains("2 full-text indexes"))
        }
    }

    @Test(arguments: [false, true]) func anRTreeIsAListOfItsRowsWithTheirBoxes(isDamaged: Bool) throws {
        let tree = [
            "CREATE VIRTUAL TABLE rTreeIndex_places USING rtree(rowid, minX, maxX)",
            "INSERT INTO rTreeIndex_places SELECT rowid, rowid + 0.25, rowid + 0.5 FROM database2 WHERE rowid <= 300",
            "INSERT INTO yap2 VALUES ('places', 'class', 'YapDatabaseRTreeIndex')",
        ]
        let damage = isDamaged ? ["DELETE FROM rTreeIndex_places_node", "DELETE FROM rTreeIndex_places_parent"] : []
        try inFile(tree + damage) { _, scene in
            let item = TreeItem.rTree("places")
            scene.screen.tree.select(item, at: 0)
            scene.type("l")
            #expect(scene.lines.contains { $0.contains("     minX") } != isDamaged)
            scene.press(.enter)
            #expect(scene.screen.list.subject == .rTree("places") && scene.screen.state.focus == .list)
            #expect(scene.text.contains("292 rows"))
            #expect(scene.screen.list.selectedTexts?.key == "book-000")
            let texts = try #require(scene.screen.list.selectedTexts)
            if isDamaged {
                #expect(
                    scene.screen.tree.known?.catalog.damage.first?.contains("R-tree \"places\" cannot be read") == true)
            } else {
                #expect(texts.storedNames == ["minX", "maxX"])
                #expect(texts.stored["minX"] == "1.25" && texts.stored["maxX"] == "1.5")
            }
        }
    }

    private func keys(_ path: String, _ condition: String) throws -> [String] {
        let handle = try SQLiteHandle(path: path, mode: .readOnlyAlone)
        let statement = try handle.statement(
            "SELECT d.key FROM fts_words AS f JOIN database2 AS d ON d.rowid = f.docid WHERE \(condition) ORDER BY f.docid"
        )
        defer { statement.reset() }
        var keys: [String] = []
        while try statement.step() { keys.append(statement.text(at: 0) ?? "") }
        return keys
    }

    private func inFile(_ sql: [String], body: @MainActor (String, BrowserScene) throws -> Void) throws {
        try withFile("books") { path in
            try change(path, sql)
            try body(path, BrowserScene(path))
        }
    }
}
