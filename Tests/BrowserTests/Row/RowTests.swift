import FileReading
import LiveTable
import Testing

@testable import Browser

/// Acts as the terminal's own refusal.
private struct TooLong: Error, CustomStringConvertible {
    let count: Int
    var description: String { "Not copied: \(count) bytes" }
}

@MainActor @Suite struct RowTests {
    @Test func aRowSaysWhatItHoldsAndWhereItIs() throws {
        try inRow("json") { scene in
            for text in [
                "c/k000", "OBJECT", "JSON", "group  \"even\"", "METADATA", "rowid       1", "view/even", "at 0",
            ] {
                #expect(scene.text.contains(text), "\(text)")
            }
        }
    }

    @Test func aPlaceInAViewIsGoneTo() throws {
        try inRow("json", height: 40) { scene in
            try select(scene, "view/even")
            scene.press(.enter)
            #expect(scene.screen.list.subject == .view("view", groups: ["even"]))
            #expect(scene.screen.tree.selected == .group(view: "view", name: "even"))
            #expect(scene.screen.list.selectedTexts?.key == "k000")
            #expect(scene.screen.state.focus == .list)
        }
    }

    @Test func theRowBesideIsGoneTo() throws {
        try inRow("json", height: 40) { scene in
            try select(scene, "after")
            scene.press(.enter)
            #expect(scene.screen.list.selectedTexts?.key == "k001")
            #expect(scene.text.contains("c/k001"))
        }
    }

    /// It has the name of what derives it, and not that of its collection, which begins with a private character.
    @Test func aJoinedRowLeadsToTheRowsThatItJoins() throws {
        let rowid: Int64 = -1 << 62 - 1
        let page = "x'FFFFFFFFFFFFFFBF'"
        let sql = [
            "CREATE TABLE yap_derived (rowid INTEGER PRIMARY KEY, collection, key, data, metadata)",
            "INSERT INTO yap_derived VALUES (\(rowid), char(1114109) || 'joined', 'k003', '{}', NULL)",
            "CREATE TABLE \"derived_joined.rows\" (rowid INTEGER PRIMARY KEY, key, place)",
            "INSERT INTO \"derived_joined.rows\" VALUES (4, 'k003', 'k007')",
            """
            INSERT INTO yap2 VALUES ('joined.rows', 'class', 'YapDatabaseDerivedRows'), ('joined.rows', 'collections',
            '{"only":["c"],"tag":"1"}')
            """,
            "DELETE FROM view_manual_map WHERE rowid <> 1",
            "UPDATE view_manual_map SET rowid = \(rowid)",
            "DELETE FROM view_manual_page WHERE pageKey NOT IN (SELECT pageKey FROM view_manual_map)",
            "UPDATE view_manual_page SET prevPageKey = NULL, count = 1, data = \(page)",
        ]
        try withFile("json") { path in
            try change(path, sql)
            for (field, key) in [("row", "k003"), ("other", "k007")] {
                let scene = try BrowserScene(path, height: 60)
                scene.screen.tree.select(.view("manual"), at: 0)
                scene.screen.open()
                #expect(scene.text.contains("joined/k003") && scene.text.contains("joined.rows"), "\(scene.text)")
                scene.press(.enter)
                try select(scene, field)
                #expect(scene.text.contains("›\(field)"))
                scene.press(.enter)
                #expect(scene.screen.list.subject == .collection(StoredText("c"), by: .key))
                #expect(scene.screen.list.selectedTexts?.key == key)
            }
        }
    }

    @Test func valuesAreFoldedAndUnfolded() throws {
        let nested = #"{"tags": ["a", "b"], "inner": {"deep": [1, 2]}}"#
        try inRow("json", changedBy: "UPDATE database2 SET data = CAST('\(nested)' AS BLOB) WHERE rowid = 1") { scene in
            #expect(scene.text.contains("deep  ["))
            scene.type("j ")
            #expect(scene.text.contains("[ 2 values ]"))
            scene.type("O")
            #expect(scene.text.contains("{ 1 field }") && !scene.text.contains("deep  ["))
            scene.type("o")
            #expect(scene.text.contains("deep  [") && !scene.text.contains("2 values"))
        }
    }

    /// The object and the metadata have the same paths.
    @Test func eachValueOfTheRowIsFoldedByItself() throws {
        let nested = #"{"tags": ["a", "b"], "inner": {"deep": [1, 2]}}"#
        let sql = "UPDATE database2 SET (data, metadata) = (CAST('\(nested)' AS BLOB), '\(nested)') WHERE rowid = 1"
        try inRow("json", changedBy: sql, height: 60) { scene in
            @MainActor func count(_ words: String) -> Int {
                scene.lines.count { $0.split(separator: "│").last?.contains(words) == true }
            }
            #expect(count("deep  [") == 2 && count("tags   [") == 2)
            scene.type("j ")
            #expect(count("[ 2 values ]") == 1, "\(scene.text)")
            scene.type("O")
            #expect(count("{ 1 field }") == 2 && count("[ 2 values ]") == 2 && count("deep") == 0, "\(scene.text)")
            scene.type("o")
            #expect(count("deep  [") == 2 && count("2 values") == 0, "\(scene.text)")
            // A whole value that was folded.
            scene.type("k ")
            #expect(count("deep  [") == 1, "\(scene.text)")
            scene.type("o")
            #expect(count("deep  [") == 2, "\(scene.text)")
        }
    }

    @Test func theRawBytesAreShownAsLongAsTheLineAllows() throws {
        try inRow("json") { scene in
            scene.type("x")
            #expect(scene.text.contains("0000000  7b 22"))
            scene.screen.handle(.resize(width: 50, height: 24))
            #expect(scene.text.contains("0000000  7b 22 67 72 6f 75 70 22  {\"group\""))
            scene.type("x")
            #expect(scene.text.contains("group  \"even\""))
        }
    }

    @Test func theDecoderOfACollectionIsChosen() throws {
        try inRow("json") { scene in
            scene.type("d")
            #expect(scene.text.contains("Decode c as") && scene.text.contains("● automatic"))
            for _ in 0..<20 where !scene.text.contains("▌  text") { scene.press(.down) }
            scene.press(.enter)
            #expect(scene.screen.row.loaded?.object?.formats == [.text])
            scene.type("d")
            scene.press(.home, .enter)
            #expect(scene.screen.row.loaded?.object?.formats == [.json])
        }
    }

    @Test func theDecoderIsChosenFromTheListToo() throws {
        try withFile("json") { path in
            let scene = try BrowserScene(path, width: 80)
            scene.press(.enter)
            scene.type("d")
            #expect(scene.text.contains("Decode c as"))
            scene.press(.end, .enter)
            #expect(scene.text.contains("52 bytes"))
        }
    }

    @Test func theValueAndItsPathAreCopied() throws {
        try inRow("json") { scene in
            scene.type("jjy")
            #expect(scene.copied == "hello number 0")
            scene.type("Y")
            #expect(scene.copied == "c/k000 $.text")
            scene.type("kky")
            #expect(scene.copied == #"{"group":"even","text":"hello number 0","sort":0}"#)
        }
    }

    @Test func whatIsTooLongToBeCopiedIsSaid() throws {
        try inRow("json") { scene in
            scene.copyError = TooLong(count: 49)
            scene.type("y")
            #expect(scene.hint.contains("Not copied: 49 bytes"))
        }
    }

    @Test func aHeldKeyReadsTheLastRowAndNotEachOne() throws {
        try withFile("books") { path in
            let later = Later()
            let scene = try BrowserScene(path, background: later)
            later.runAll()
            scene.press(.enter)
            later.runAll()
            for _ in 0..<30 { scene.type("j") }
            #expect(later.count == 1)
            later.runAll()
            #expect(
                scene.screen.row.loaded?.row.address?.key == scene.screen.list.selectedTexts.map { StoredText($0.key) })
        }
    }

    /// Goes to the line of the row with this beginning.
    private func select(_ scene: BrowserScene, _ name: String) throws {
        for _ in 0..<60 {
            if case .facts(let facts)? = scene.screen.row.table.selectedPath.flatMap({ scene.screen.row.sections[$0] })?
                .section.content, let row = scene.screen.row.table.selectedPath?.row, facts[row].name == name
            {
                return
            }
            scene.type("j")
        }
        Issue.record("There is no line \(name):\n\(scene.text)")
    }

    private func inRow(
        _ name: String, changedBy sql: String..., height: Int = 24, body: @MainActor (BrowserScene) throws -> Void
    ) throws {
        try withFile(name) { path in
            if !sql.isEmpty { try change(path, sql) }
            let scene = try BrowserScene(path, height: height)
            scene.press(.enter, .enter)
            try body(scene)
        }
    }
}
