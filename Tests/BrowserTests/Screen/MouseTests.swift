import ScreenPrograms
import TestSupport
import Testing

@testable import Browser

/// What the mouse alone does: the hint line and the names of columns react.
@MainActor @Suite struct MouseTests {
    @Test func theMouseAloneSearchesSortsAndQuits() throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path)
            scene.press(.enter)
            try click("/ find", scene)
            #expect(scene.screen.state.prompt != nil, "\(scene.hint)")
            scene.screen.handle(.paste("book-07"))
            scene.click(x: 40, y: 23)
            #expect(scene.screen.state.prompt == nil && scene.screen.state.search?.search.count == 10)
            #expect(scene.screen.list.selectedTexts?.key == "book-070")
            try click("n next match", scene)
            #expect(scene.screen.list.selectedTexts?.key == "book-071")
            try click("Esc cancel", scene)
            let head = try #require(scene.grid.lines.firstIndex { $0.contains(" key ") })
            let x = try #require(column(of: "key", scene.grid.lines[head]))
            let before = scene.screen.list.selection.isReversed
            scene.click(x: x, y: head)
            #expect(scene.screen.list.selection.isReversed != before)
            try click("q quit", scene)
            #expect(scene.hasQuit)
        }
    }

    private func click(_ text: String, _ scene: BrowserScene) throws {
        let x = try #require(column(of: text, scene.grid.lines.last ?? ""), "\(text) is not in \(scene.hint)")
        scene.click(x: x, y: scene.grid.lines.count - 1)
    }

    private func column(of text: String, _ line: String) -> Int? {
        line.range(of: text).map { line.distance(from: line.startIndex, to: $0.lowerBound) }
    }

    /// A click sorts, another one reverses; a click on the column of the list's own order goes back to that.
    @Test func theHeadOfADecodedColumnSortsAndReverses() throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path, width: 140)
            scene.press(.enter)
            try clickHead("price", scene)
            #expect(scene.text.contains("by price ↑ · row 1 · 481 rows"), "\(scene.text)")
            try clickHead("price", scene)
            #expect(scene.text.contains("by price ↓") && scene.screen.list.selectedTexts?.key == "book-350")
            try clickHead("genre", scene)
            #expect(scene.text.contains("by genre ↑"), "\(scene.text)")
            try clickHead("key", scene)
            scene.type("g")
            #expect(!scene.text.contains("by genre") && scene.screen.list.selectedTexts?.key == "book-000")
        }
    }

    private func clickHead(_ name: String, _ scene: BrowserScene) throws {
        let head = try #require(scene.grid.lines.firstIndex { $0.contains(" key ") && $0.contains("price") })
        scene.click(x: try #require(column(of: name, scene.grid.lines[head])), y: head)
    }
}
