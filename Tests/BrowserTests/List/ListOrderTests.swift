import FileReading
import LiveTable
import TestSupport
import Testing

@testable import Browser

/// Sort, filter, range and reversal apply in one order: that of `yap browse --by --match --first --reversed`.
@MainActor @Suite struct ListOrderTests {
    @Test func aRangeIsOfTheListAndReversalOfTheRange() throws {
        try inList { scene in
            setRange(scene, "first 5")
            #expect(keys(scene) == ["k000", "k001", "k002", "k003", "k004"])
            scene.type("r")
            #expect(keys(scene) == ["k004", "k003", "k002", "k001", "k000"])
            #expect(scene.text.contains("first 5") && scene.text.contains("reversed"))
            filter(scene, "number 1")
            #expect(keys(scene) == ["k013", "k012", "k011", "k010", "k001"])
            scene.type("r")
            #expect(keys(scene) == ["k001", "k010", "k011", "k012", "k013"])
            setRange(scene, "last 2")
            #expect(keys(scene) == ["k118", "k119"])
            scene.type("r")
            #expect(keys(scene) == ["k119", "k118"])
            scene.press(.escape)
            #expect(keys(scene) == ["k119", "k118"])
            setRange(scene, "all")
            #expect(keys(scene).first == "k119" && keys(scene).count == 120)
        }
    }

    /// In any order of the four commands.
    @Test(arguments: Effort.some([1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])) func theWayThereDoesNotMatter(seed: UInt64)
        throws
    {
        try inList { scene in
            var random = SplitMix64(seed: seed)
            var steps = ["r", "s", "R", "&"]
            steps.shuffle(using: &random)
            for step in steps {
                switch step {
                case "R": setRange(scene, "first 4")
                case "&": filter(scene, "number 2")
                default: scene.type(step)
                }
            }
            #expect(keys(scene) == ["k022", "k021", "k020", "k002"], "seed \(seed): \(steps)")
            scene.screen.handle(.resize(width: 140, height: 24))
            #expect(scene.text.contains("&number 2 · reversed · as stored"), "seed \(seed): \(steps)")
        }
    }

    @Test func theBarIsAtTheEndThatTheWordsSay() throws {
        try inList { scene in
            setRange(scene, "first 5")
            #expect(scene.text.contains("first 5 █"))
            scene.type("r")
            #expect(scene.text.contains("first 5 █"))
            setRange(scene, "last 5")
            #expect(scene.text.contains("last 5 ▂"))
        }
    }

    @Test func anotherOrderKeepsFilterSearchAndRow() throws {
        try inList { scene in
            filter(scene, "number 11")
            scene.type("jjj")
            let key = scene.screen.list.selectedTexts?.key
            scene.type("s")
            #expect(scene.text.contains("&number 11 · as stored · row 4 · 11 rows"))
            #expect(scene.screen.list.selectedTexts?.key == key)
            scene.press(.escape)
            #expect(scene.text.contains("as stored · row 113 · 120 rows"))
            scene.type("/number 7")
            scene.press(.enter)
            scene.type("s")
            #expect(scene.text.contains("/number 7 · row 8 · 120 rows"))
            scene.type("n")
            #expect(scene.screen.list.selectedTexts?.key == "k070")
        }
    }

    @Test func anIndexIsSortedByItsColumns() throws {
        let index = [
            "CREATE TABLE secondaryIndex_words (rowid INTEGER PRIMARY KEY, word TEXT, number INTEGER)",
            "INSERT INTO secondaryIndex_words SELECT rowid, key, -rowid FROM database2",
        ]
        try withFile("json") { path in
            try change(path, index)
            let scene = try BrowserScene(path)
            scene.screen.tree.select(.index("words"), at: 0)
            scene.screen.open()
            scene.wait()
            let first = keys(scene)[0]
            scene.type("s")
            #expect(scene.text.contains("Sorted by") && scene.text.contains("● as stored"))
            scene.press(.down, .down, .enter)
            #expect(keys(scene).last == first && scene.text.contains("words · by number"))
            #expect(scene.screen.tree.selected == .column(index: "words", name: "number"))
            setRange(scene, "first 3")
            scene.type("s")
            scene.press(.home, .enter)
            #expect(keys(scene).count == 3 && keys(scene)[0] == first)
            #expect(scene.screen.tree.selected == .index("words"))
        }
    }

    @Test func anEmptyRangeLeavesTheOneThatIsThere() throws {
        try inList { scene in
            setRange(scene, "last 5")
            scene.type("R")
            #expect(scene.hint.contains("Rows: last 5 now; type first 50, last 50 or all"))
            scene.press(.enter)
            #expect(keys(scene).count == 5)
        }
    }

    @Test func aKeyThatIsNotThereIsSaidToBeSo() throws {
        try inList { scene in
            scene.type("5G:zzz")
            scene.press(.enter)
            #expect(scene.hint.contains("There is no key \"zzz\". K finds keys by a part of them."))
            #expect(scene.screen.list.selectedTexts?.key == "k004")
            scene.type(":k03")
            scene.press(.enter)
            #expect(scene.hint.contains("There is no key \"k03\"; this is the first one that begins so."))
            #expect(scene.screen.list.selectedTexts?.key == "k030")
            scene.type(":k031")
            scene.press(.enter)
            #expect(!scene.hint.contains("no key"))
            setRange(scene, "first 5")
            scene.type(":k031")
            scene.press(.enter)
            #expect(scene.hint.contains("The row with the key \"k031\" is not among the shown ones."))
        }
    }

    private func keys(_ scene: BrowserScene) -> [String] {
        guard let rows = scene.screen.list.rows, rows.numberOfSections > 0 else { return [] }
        return (0..<rows.numberOfRows(in: 0)).compactMap { rows.texts(at: RowPath(section: 0, row: $0))?.key }
    }

    private func setRange(_ scene: BrowserScene, _ words: String) {
        scene.type("R" + words)
        scene.press(.enter)
    }

    private func filter(_ scene: BrowserScene, _ pattern: String) {
        scene.type("&" + pattern)
        scene.press(.enter)
    }

    private func inList(body: @MainActor (BrowserScene) throws -> Void) throws {
        try withFile("json") { path in
            let scene = try BrowserScene(path)
            scene.press(.enter)
            try body(scene)
        }
    }
}
