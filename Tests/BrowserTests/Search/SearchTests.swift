import FileReading
import LiveTable
import Testing

@testable import Browser

@MainActor @Suite struct SearchTests {
    @Test func aSearchGoesToTheNextMatchAndRoundTheEnd() throws {
        try inList { scene in
            search(scene, "/number 11")
            #expect(scene.screen.list.selectedTexts?.key == "k011")
            scene.type("n")
            #expect(scene.screen.list.selectedTexts?.key == "k110")
            scene.type("NN")
            #expect(scene.screen.list.selectedTexts?.key == "k119")
            #expect(scene.hint.contains("Continued from the other end"))
            scene.type("n")
            #expect(scene.screen.list.selectedTexts?.key == "k011")
        }
    }

    @Test func aSearchBeginsWhereOneIs() throws {
        try inList { scene in
            scene.type("50G")
            search(scene, "/odd")
            #expect(scene.screen.list.selectedTexts?.key == "k049")
            scene.type("n")
            #expect(scene.screen.list.selectedTexts?.key == "k051")
        }
    }

    @Test func aFilterThatBeginsWithAnEqualsSignIsACondition() throws {
        try inList { scene in
            search(scene, "&=row.key > 'k115'")
            #expect(scene.hint.contains("&=row.key > 'k115'") || scene.lines.joined().contains("4 rows"))
            #expect(scene.screen.list.selectedTexts?.key == "k116")
            search(scene, "&=row.key >")
            #expect(scene.screen.list.selectedTexts?.key == "k116")
        }
    }

    @Test func aSearchGoesAlongWithWhatIsTyped() throws {
        try inList { scene in
            scene.type("50G/number 1")
            #expect(scene.screen.list.selectedTexts?.key == "k100")
            #expect(scene.hint.hasPrefix("/number 1") && scene.hint.contains("31 found"))
            scene.type("1")
            #expect(scene.screen.list.selectedTexts?.key == "k110")
            scene.press(.backspace)
            #expect(scene.screen.list.selectedTexts?.key == "k100")
            scene.type("x")
            #expect(scene.screen.list.selectedTexts?.key == "k049" && scene.hint.contains("0 found"))
            scene.press(.backspace, .enter)
            #expect(scene.screen.list.selectedTexts?.key == "k100" && scene.screen.state.prompt == nil)
            scene.type("n")
            #expect(scene.screen.list.selectedTexts?.key == "k101")
        }
    }

    @Test(arguments: [nil, "/number 5", "&number 5"]) func escLeadsBackToWhereOneWas(before: String?) throws {
        try inList { scene in
            if let before { search(scene, before) }
            scene.type("5Gzz")
            let lines = scene.lines.dropLast()
            for typed in ["", "/", "/number 11", "/nowhere at all"] {
                scene.type(typed)
                if !typed.isEmpty { scene.press(.escape) }
                #expect(scene.screen.state.prompt == nil && scene.lines.dropLast() == lines, "\(typed)")
            }
            scene.type("/number 11")
            for _ in 0..<9 { scene.press(.backspace) }
            #expect(scene.screen.state.prompt != nil && scene.lines.dropLast() == lines)
            scene.screen.handle(.key(.character("c"), .control))
            #expect(scene.screen.state.prompt == nil && scene.lines.dropLast() == lines)
        }
    }

    @Test func inAReversedListTheNextMatchIsTheOneBelow() throws {
        try inList { scene in
            scene.type("rg")
            search(scene, "/number 11")
            scene.type("gn")
            let first = try #require(scene.screen.list.table.selectedPath?.row)
            scene.type("n")
            #expect(try #require(scene.screen.list.table.selectedPath?.row) > first)
        }
    }

    @Test func matchesAreMarkedByMoreThanColour() throws {
        try inList(depth: .monochrome) { scene in
            search(scene, "/number 11")
            let grid = scene.grid
            let y = try #require(grid.lines.firstIndex { $0.contains("▌k011") })
            let x = try #require((0..<grid.width).first { grid[$0, y].style.attributes.contains(.underline) })
            #expect(String((x..<x + 9).compactMap { grid[$0, y].character }) == "number 11")
        }
    }

    @Test func aFilterShowsOnlyWhatMatchesUntilEsc() throws {
        try inList { scene in
            search(scene, "&k11")
            #expect(scene.text.contains("&k11 · row 1 · 10 rows"))
            #expect(scene.screen.list.selectedTexts?.key == "k110")
            scene.type("G")
            #expect(scene.screen.list.selectedTexts?.key == "k119")
            scene.press(.escape)
            #expect(scene.text.contains("120 rows"))
            #expect(scene.screen.list.selectedTexts?.key == "k119")
        }
    }

    @Test func aFilterGrowsWhileItSearchesAndIsCancelled() throws {
        try withFile("books") { path in
            let later = Later()
            let scene = try BrowserScene(path, background: later)
            later.runAll()
            scene.press(.enter)
            later.runAll()
            search(scene, "&mystery")
            #expect(scene.hint.contains("searching for \"mystery\"") && scene.hint.contains("Esc stops"))
            scene.press(.escape)
            later.runAll()
            #expect(scene.text.contains("481 rows") && scene.screen.state.search == nil)
        }
    }

    @Test func whatIsNotThereIsSaid() throws {
        try inList { scene in
            search(scene, "/nowhere at all")
            #expect(scene.hint.contains("Nothing matches \"nowhere at all\""))
            #expect(scene.screen.list.selectedTexts?.key == "k000")
        }
    }

    /// A condition that is typed as a pattern finds nothing: how to write it is said.
    @Test func aConditionWithoutItsSignIsSaid() throws {
        try inList { scene in
            scene.type("&")
            #expect(scene.hint.contains("= begins a condition"), "\(scene.hint)")
            scene.press(.escape)
            search(scene, "&number > 3")
            #expect(scene.hint.contains("A condition begins with ="), "\(scene.hint)")
        }
    }

    @Test func capitalsInThePatternMakeItExact() throws {
        try inList { scene in
            search(scene, "&K11")
            #expect(scene.text.contains("0 rows"))
        }
    }

    /// A search finds the same as a scan of every row, from any starting row.
    @Test(arguments: [0, 1, 59, 60, 119])
    func everyStartFindsTheSameMatches(start: Int) throws {
        try withFile("json") { path in
            let snapshot = try BrowsedFile(path: path).snapshot
            let content = try ListContent(
                .collection(StoredText("c"), by: .key), snapshot, catalog: try snapshot.catalog())
            let search = try ListSearch("7", content, RowDecoder(), from: (0, start)).advanced(
                until: .now + .seconds(3_600))
            #expect(search.isDone && search.searched == 120)
            let whole = try ListSearch("7", content, RowDecoder()).advanced(until: .now + .seconds(3_600))
            #expect((0..<search.count).map { search[$0] } == (0..<whole.count).map { whole[$0] })
            #expect(whole.count > 10 && whole.count < 120)
        }
    }

    private func search(_ scene: BrowserScene, _ text: String) {
        scene.type(text)
        scene.press(.enter)
    }

    private func inList(depth: ColorDepth = .palette, body: @MainActor (BrowserScene) throws -> Void) throws {
        try withFile("json") { path in
            let scene = try BrowserScene(path, depth: depth)
            scene.press(.enter)
            try body(scene)
        }
    }
}
