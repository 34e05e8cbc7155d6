import FileReading
import LiveTable
import Testing

@testable import Browser
@testable import FileReading

/// Keys can be searched alone.
@MainActor @Suite struct KeySearchTests {
    @Test func aSearchOfKeysFindsNoValues() throws {
        try inList { scene in
            scene.type("/number 11")
            #expect(scene.screen.state.search?.search.count == 11)
            scene.press(.tab)
            #expect(scene.hint.hasPrefix("keys/number 11") && scene.hint.contains("0 found"))
            scene.press(.tab)
            #expect(scene.hint.hasPrefix("/number 11") && scene.hint.contains("11 found"))
            scene.press(.escape)
            scene.type("K")
            #expect(scene.hint.hasPrefix("keys/") && scene.hint.contains("in keys alone"))
            scene.type("k11")
            scene.press(.enter)
            #expect(scene.screen.state.search?.search.count == 10 && scene.screen.list.selectedTexts?.key == "k110")
            #expect(scene.text.contains("keys/k11"))
            scene.type("s")
            #expect(scene.screen.state.search?.isKeysOnly == true && scene.screen.state.search?.search.count == 10)
        }
    }

    @Test func aFilterByKeys() throws {
        try inList { scene in
            scene.type("&")
            #expect(scene.hint.contains("Tab: in keys alone"))
            scene.press(.tab)
            scene.type("11")
            scene.press(.enter)
            #expect(scene.text.contains("keys&11 · row 1 · 11 rows"))
        }
    }

    /// In each order, across the borders of portions, the result equals a scan of every key.
    @Test(arguments: [ListSubject.RowOrder.key, .rowid], [0, 1, 999, 1_000, 2_500])
    func everyStartFindsTheSameKeys(order: ListSubject.RowOrder, start: Int) throws {
        let rows = """
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)
            INSERT INTO database2 ("collection", "key", "data") SELECT 'many', printf('m%05d', (i * 7) % 3000), '{}' FROM n
            """
        try withFile("json") { path in
            try change(path, [rows])
            let snapshot = try BrowsedFile(path: path).snapshot
            let content = try ListContent(
                .collection(StoredText("many"), by: order), snapshot, catalog: try snapshot.catalog())
            try content.loadAll()
            let search = try ListSearch("77", content, RowDecoder(), isKeysOnly: true, from: (0, start)).advanced(
                until: .now + .seconds(3_600))
            let whole = try ListSearch("77", content, RowDecoder()).advanced(until: .now + .seconds(3_600))
            #expect(search.isDone && search.searched == 3_000 && whole.count == 57)
            #expect((0..<search.count).map { search[$0] } == (0..<whole.count).map { whole[$0] })
        }
    }

    private func inList(body: @MainActor (BrowserScene) throws -> Void) throws {
        try withFile("json") { path in
            let scene = try BrowserScene(path)
            scene.press(.enter)
            try body(scene)
        }
    }
}
