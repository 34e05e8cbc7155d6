import FileReading
import LiveTable
import TestSupport
import Testing

@testable import Browser

/// Sorting by a field, and counting by one.
@MainActor @Suite struct FieldOrderTests {
    @Test func aListIsSortedByAFieldInBothDirections() throws {
        try inBooks { scene in
            sort(scene, "]", by: "price")
            #expect(scene.text.contains("by price ↓ · row 1 · 481 rows"), "\(scene.text)")
            let prices = fields(scene, "price").compactMap(Double.init)
            #expect(prices.count == 481 && prices == prices.sorted(by: >))
            #expect(scene.screen.list.table.selectedPath == RowPath(section: 0, row: 0))
            sort(scene, "[", by: "title")
            let titles = fields(scene, "title")
            #expect(titles == titles.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
            scene.type("s")
            #expect(keys(scene) == keys(scene).sorted() && !scene.text.contains("by title"))
        }
    }

    /// Rows without the field come first in the one direction and last in the other, as in `--sort`.
    @Test func missingFieldsAreFirstOrLast() throws {
        try withFile(
            "json", changedBy: "UPDATE database2 SET data = json_set(data, '$.rank', rowid % 7) WHERE rowid % 3 > 0"
        ) { path in
            let scene = try BrowserScene(path)
            scene.press(.enter)
            for (key, order) in [("[", "rank"), ("]", "rank DESC")] {
                sort(scene, key, by: "an expression")
                scene.type("rank")
                scene.press(.enter)
                #expect(keys(scene) == (try lines(path, order)), "\(order)")
            }
        }
    }

    /// Sort, filter, range, reversal: whichever is chosen first.
    @Test(arguments: Effort.some([1, 2, 3, 4, 5, 6] as [UInt64])) func theStepsApplyInOneOrder(seed: UInt64) throws {
        try inBooks { scene in
            var random = SplitMix64(seed: seed)
            var steps = ["sort", "&", "R", "r"]
            steps.shuffle(using: &random)
            for step in steps {
                switch step {
                case "sort": sort(scene, "]", by: "price")
                case "&": type(scene, "&=genre = 'travel'")
                case "R": type(scene, "Rfirst 5")
                default: scene.type("r")
                }
            }
            let path = originalFile("books").path
            let wanted = Array(try lines(path, "price DESC", where: "genre = 'travel'").prefix(5).reversed())
            #expect(keys(scene) == wanted, "seed \(seed): \(steps)")
            // Without the filter the order stays.
            scene.press(.escape)
            #expect(keys(scene) == Array(try lines(path, "price DESC").prefix(5).reversed()), "seed \(seed): \(steps)")
        }
    }

    @Test func aViewIsSortedInEachGroupAndASearchGoesThroughThatOrder() throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path)
            scene.screen.tree.select(.view("order"), at: 0)
            scene.screen.open()
            scene.wait()
            sort(scene, "]", by: "price")
            let rows = try #require(scene.screen.list.rows)
            #expect(rows.numberOfSections == 5)
            // Names are data.
            #expect(scene.text.contains(" fantasy ") && !scene.text.contains("FANTASY"), "\(scene.text)")
            for section in 0..<rows.numberOfSections {
                let prices = (0..<rows.numberOfRows(in: section)).compactMap {
                    Double(rows.texts(at: RowPath(section: section, row: $0))?.text(of: .field("price")) ?? "")
                }
                #expect(prices == prices.sorted(by: >))
            }
            type(scene, "/book-1")
            let first = scene.screen.list.selectedTexts?.key
            scene.type("n")
            #expect(first != scene.screen.list.selectedTexts?.key)
        }
    }

    @Test func aWrongExpressionIsASentenceAndChangesNothing() throws {
        try inBooks { scene in
            sort(scene, "[", by: "an expression")
            type(scene, "price >")
            #expect(scene.hint.contains("no expression") || scene.text.contains("no expression"))
            #expect(keys(scene).count == 481)
            sort(scene, "[", by: "an expression")
            type(scene, "nosuchfield")
            #expect(scene.text.contains("No row has a field \"nosuchfield\"."))
        }
    }

    @Test func whatCannotBeComputedIsSaidOfAFilterAnOrderAndCounts() throws {
        try withFile(
            "json", changedBy: "UPDATE database2 SET data = '{\"n\": -9223372036854775808}' WHERE key = 'k001'"
        ) {
            path throws in
            let scene = try BrowserScene(path)
            scene.press(.enter)
            let words = "\"abs(n)\" cannot be computed and counts as NULL for 1 row, c/k001: integer overflow."
            sort(scene, "[", by: "an expression")
            type(scene, "abs(n)")
            #expect(scene.text.contains(words), "\(scene.text)")
            type(scene, "&=abs(n) IS NULL")
            #expect(scene.text.contains("integer overflow"), "\(scene.text)")
            type(scene, "&=n = \"word\"")
            #expect(
                scene.text.contains("No row has a field \"word\". A text is in single quotes: 'word'"), "\(scene.text)")
        }
    }

    @Test func howManyRowsThereAreIsSaidWhateverTheFilter() throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path, width: 80)
            scene.press(.enter)
            sort(scene, "]", by: "price")
            type(scene, "&=genre = 'travel' AND price > 1 AND price < 1000000 AND title IS NOT NULL")
            let title = scene.lines.first { $0.contains("&=genre = 'travel'") } ?? scene.text
            #expect(title.contains(" books ") && title.contains("… · 90 rows"), "\(title)")
        }
    }

    @Test func whileItSortsTheFirstRowsAreThereAndEscStopsIt() throws {
        try withFile("books") { path in
            let later = Later()
            let scene = try BrowserScene(path, background: later)
            later.runAll()
            scene.press(.enter)
            later.runAll()
            scene.type("]")
            scene.press(.enter)
            #expect(scene.hint.contains("sorting by") && scene.hint.contains("Esc stops"), "\(scene.hint)")
            #expect(keys(scene).count == 481)
            scene.press(.escape)
            later.runAll()
            #expect(keys(scene) == keys(scene).sorted() && scene.screen.list.order == nil)
        }
    }

    @Test func commitsOfOthersAreSortedIn() throws {
        try whileWriting("json") { scene, write in
            scene.press(.enter)
            sort(scene, "]", by: "an expression")
            type(scene, "rank")
            try write("UPDATE database2 SET data = json_set(data, '$.rank', 9) WHERE key = 'k050'")
            scene.screen.advance()
            scene.wait()
            #expect(keys(scene).first == "k050")
            try write(#"INSERT INTO database2 ("collection", "key", "data") VALUES ('c', 'new', '{"rank": 10}')"#)
            try write("DELETE FROM database2 WHERE key = 'k000'")
            scene.screen.advance()
            scene.wait()
            #expect(keys(scene).prefix(2) == ["new", "k050"] && keys(scene).count == 120)
            // With a filter too.
            type(scene, "&k0")
            try write("UPDATE database2 SET data = json_set(data, '$.rank', 11) WHERE key = 'k060'")
            scene.screen.advance()
            scene.wait()
            #expect(keys(scene).prefix(2) == ["k060", "k050"], "\(keys(scene).prefix(5))")
            scene.press(.escape)
            #expect(keys(scene).prefix(3) == ["k060", "new", "k050"])
        }
    }

    // MARK: Counts

    @Test func rowsAreCountedByAFieldAndEnterFiltersByTheValue() throws {
        try inBooks { scene in
            sort(scene, "C", by: "genre")
            #expect(scene.text.contains("count by genre") && scene.text.contains("5 values in 481 rows"))
            #expect(scene.lines.contains { $0.contains("108") && $0.contains("fantasy") }, "\(scene.text)")
            scene.press(.enter)
            #expect(scene.text.contains("&=genre IS 'fantasy' · 108 rows"), "\(scene.text)")
            // The next count is of what the filter lets pass, and its Enter adds a condition.
            sort(scene, "C", by: "inStock")
            let entry = try #require(scene.screen.state.counting?.pane.selected)
            scene.press(.enter)
            #expect(keys(scene).count == entry.count)
            #expect(scene.screen.state.search?.pattern == "=(genre IS 'fantasy') AND inStock IS \(entry.value.literal)")
            scene.press(.escape)
            sort(scene, "C", by: "genre")
            scene.press(.escape)
            #expect(scene.screen.state.counting == nil && scene.text.contains("481 rows"))
        }
    }

    @Test func aTextFilterAndACountedValueApplyTogether() throws {
        try inBooks { scene in
            type(scene, "&title 4")
            let found = keys(scene).count
            sort(scene, "C", by: "genre")
            let entry = try #require(scene.screen.state.counting?.pane.selected)
            #expect(scene.screen.state.counting?.pane.result.rows == found)
            scene.press(.enter)
            #expect(keys(scene).count == entry.count, "\(scene.text)")
            #expect(scene.screen.state.search?.pattern == "title 4 &=genre IS \(entry.value.literal)")
        }
    }

    @Test func countsFollowCommits() throws {
        try whileWriting("json") { scene, write in
            scene.press(.enter)
            sort(scene, "C", by: "an expression")
            type(scene, "rank")
            #expect(scene.text.contains("missing"))
            try write("UPDATE database2 SET data = json_set(data, '$.rank', 9) WHERE key > 'k050'")
            scene.screen.advance()
            scene.wait()
            #expect(scene.text.contains("2 values in 120 rows"), "\(scene.text)")
        }
    }

    /// What a filter is typed as is parsed and written alike.
    @Test(arguments: ["dune", "=price > 20", "dune &=price > 20", "a & b", "=", "x &="])
    func aFilterPatternIsWhatIsTyped(text: String) {
        #expect(FilterPattern(text).typed == text)
    }

    private func sort(_ scene: BrowserScene, _ key: String, by title: String) {
        scene.type(key)
        guard let choices = scene.screen.state.menu?.menu.choices,
            let index = choices.firstIndex(where: { $0.title.hasPrefix(title) })
        else {
            Issue.record("There is no \(title): \(scene.text)")
            return
        }
        scene.press(.home)
        for _ in 0..<index { scene.press(.down) }
        scene.press(.enter)
    }

    private func type(_ scene: BrowserScene, _ text: String) {
        scene.type(text)
        scene.press(.enter)
    }

    private func keys(_ scene: BrowserScene) -> [String] { fields(scene) { $0.key } }

    private func fields(_ scene: BrowserScene, _ name: String) -> [String] {
        fields(scene) { $0.text(of: .field(name)) }
    }

    private func fields(_ scene: BrowserScene, _ text: (RowTexts) -> String) -> [String] {
        guard let rows = scene.screen.list.rows, rows.numberOfSections > 0 else { return [] }
        return (0..<rows.numberOfRows(in: 0)).compactMap { rows.texts(at: RowPath(section: 0, row: $0)).map(text) }
    }

    /// The keys as `--where` and `--sort` give them.
    private func lines(_ path: String, _ order: String, where condition: String? = nil) throws -> [String] {
        let snapshot = try BrowsedFile(path: path).snapshot
        let collection = try #require(try snapshot.catalog().collections.first)
        let content = try ListContent(.collection(collection, by: .key), snapshot, catalog: snapshot.catalog())
        var keys: [String] = []
        try FilteredRows(content, where: condition, order: FilteredRows.Order(order)).enumerate(RowSelection()) {
            keys.append($0.row.address?.key.text ?? "")
        }
        return keys
    }

    private func inBooks(body: @MainActor (BrowserScene) throws -> Void) throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path)
            scene.press(.enter)
            try body(scene)
        }
    }
}
