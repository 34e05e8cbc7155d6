import FileReading
import LiveTable
import Testing

@testable import Browser

/// The end of a list is shown before the number of rows is known.
@MainActor @Suite struct ListEndTests {
    private static let rows = """
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999) \
        INSERT INTO database2 (rowid, collection, key, data) SELECT 20000 - i, 'many', printf('m%05d', i), '{}' FROM n
        """

    @Test(arguments: [("", "m04999", "m00000"), ("s", "m00000", "m04999")])
    func theLastRowIsThereAtOnceAndStaysWhenAllAreCounted(order: String, last: String, first: String) throws {
        try inUncountedList(order) { scene, later in
            scene.type("G")
            #expect(scene.screen.list.selectedTexts?.key == last)
            #expect(scene.text.contains("the end · ") && !scene.text.contains("row "))
            scene.type("k")
            let line = try #require(self.line(of: scene))
            let key = try #require(scene.screen.list.selectedTexts?.key)
            later.runAll()
            #expect(scene.text.contains("row 4,999 · 5,000 rows") && !scene.text.contains("the end"))
            #expect(scene.screen.list.selectedTexts?.key == key && line == self.line(of: scene))
            #expect(scene.screen.list.table.selectedPath?.row == 4_998)
            scene.type("g")
            #expect(scene.screen.list.selectedTexts?.key == first)
        }
    }

    @Test func fromTheEndBackToTheBeginningBeforeAllAreCounted() throws {
        try inUncountedList { scene, later in
            scene.type("Gg")
            #expect(scene.screen.list.selectedTexts?.key == "m00000")
            scene.type("G:m00100")
            scene.press(.enter)
            #expect(scene.screen.list.selectedTexts?.key == "m00100")
            #expect(scene.text.contains("row 101 · 1,001+ rows"), "\(scene.text)")
            scene.type("rg")
            #expect(scene.screen.list.selectedTexts?.key == "m04999")
            scene.type("G")
            #expect(scene.screen.list.selectedTexts?.key == "m00000")
            later.runAll()
            #expect(scene.screen.list.table.selectedPath?.row == 4_999)
        }
    }

    @Test func theLastRowsAreARangeBeforeAllAreCounted() throws {
        try inUncountedList { scene, later in
            scene.type("R")
            scene.screen.handle(.key(.character("u"), .control))
            scene.type("last 50")
            scene.press(.enter)
            for _ in 0..<2 {
                scene.type("g")
                #expect(scene.screen.list.selectedTexts?.key == "m04950")
                scene.type("G")
                #expect(scene.screen.list.selectedTexts?.key == "m04999")
                later.runAll()
            }
        }
    }

    @Test func aNumberThatIsNotKnownYetIsWaitedFor() throws {
        try inUncountedList { scene, later in
            scene.type("4000G")
            #expect(scene.screen.list.selectedTexts?.key == "m00000")
            later.runAll()
            #expect(scene.screen.list.selectedTexts?.key == "m03999")
        }
    }

    @Test(arguments: [("m02500", "m02500"), ("m04000", "m04000"), ("m02500x", "m02501"), ("zzz", "m00000")])
    func aKeyWhosePlaceIsNotKnownYetIsWaitedFor(key: String, there: String) throws {
        try inUncountedList { scene, later in
            scene.type(":\(key)")
            scene.press(.enter)
            #expect(scene.screen.list.selectedTexts?.key == "m00000")
            #expect(scene.hint.contains("counting the rows to get there"))
            later.runAll()
            #expect(scene.screen.list.selectedTexts?.key == there)
            #expect(!scene.hint.contains("counting"))
            #expect(scene.hint.contains("There is no key \"\(key)\"; this is") == (key == "m02500x"))
            #expect(scene.hint.contains("There is no key \"\(key)\".") == (key == "zzz"))
        }
    }

    @Test func aKeyThatIsNotThereIsSaidToBeMissingWhenAllAreCounted() throws {
        try inUncountedList("s") { scene, later in
            scene.type(":absent")
            scene.press(.enter)
            #expect(scene.hint.contains("counting"))
            later.runAll()
            #expect(scene.text.contains("There is no key \"absent\"."))
        }
    }

    @Test func whereTheEndCannotBeFoundItIsWaitedForAndEscStops() throws {
        let index = [
            "CREATE TABLE secondaryIndex_words (rowid INTEGER PRIMARY KEY, word TEXT)",
            "INSERT INTO secondaryIndex_words SELECT rowid, key FROM database2",
        ]
        try inUncountedList(index: index) { scene, later in
            for isStopped in [true, false] {
                scene.type("G")
                #expect(scene.hint.contains("counting the rows to get there: 200") && scene.hint.contains("Esc stops"))
                if isStopped { scene.press(.escape) }
                #expect(scene.hint.contains("counting") != isStopped)
            }
            later.runAll()
            #expect(scene.screen.list.table.selectedPath?.row == 5_119)
            #expect(!scene.hint.contains("counting"))
        }
    }

    /// Returns the line of the screen with the selected row.
    private func line(of scene: BrowserScene) -> Int? { scene.lines.firstIndex { $0.contains("▌") } }

    private func inUncountedList(
        _ keys: String = "", index: [String] = [], body: @MainActor (BrowserScene, Later) throws -> Void
    ) throws {
        try withFile("json") { path in
            try change(path, [Self.rows] + index)
            let later = Later()
            let scene = try BrowserScene(path, background: later)
            later.runAll()
            if index.isEmpty {
                scene.type("j")
                scene.press(.enter)
            } else {
                let item = TreeItem.index("words")
                scene.screen.tree.select(item, at: 0)
                scene.screen.open()
            }
            while scene.screen.list.rows == nil { later.runOne() }
            if !keys.isEmpty {
                scene.type(keys)
                while scene.screen.list.rows == nil { later.runOne() }
            }
            #expect(scene.screen.list.content?.isComplete == false)
            try body(scene, later)
        }
    }
}
