import FileReading
import Foundation
import LiveTable
import Testing

@testable import Browser

@MainActor @Suite struct TreeTests {
    @Test func aViewIsUnfoldedToItsGroupsAndFoldedAgain() throws {
        try withFile("json") { path in
            let scene = try BrowserScene(path)
            let folded = scene.lines
            scene.type("jj ")
            #expect(scene.lines.contains { $0.contains("     even ") && $0.contains(" 60▐") })
            #expect(scene.text.contains("▾ view"))
            scene.type(" kk")
            #expect(scene.lines == folded)
        }
    }

    @Test func leftFoldsAndGoesUpAndRightUnfolds() throws {
        try withFile("json") { path in
            let scene = try BrowserScene(path)
            scene.type("jjlj")
            #expect(scene.screen.tree.selected == .group(view: "view", name: "even"))
            scene.type("h")
            #expect(scene.screen.tree.selected == .view("view"))
            #expect(scene.screen.tree.open == [.view("view")])
            scene.type("h")
            #expect(scene.screen.tree.open.isEmpty)
        }
    }

    @Test func aGroupOpensAloneAndAViewWithAllItsGroupsAsSections() throws {
        try withFile("json") { path in
            let scene = try BrowserScene(path)
            scene.type("jj j")
            #expect(scene.screen.list.subject == .view("view", groups: ["even"]))
            #expect(scene.text.contains("view · even"))
            scene.type("k")
            #expect(scene.screen.list.subject == .view("view", groups: nil))
            #expect(scene.lines.contains { $0.contains("│ even  ") } && scene.screen.list.rows?.numberOfSections == 2)
        }
    }

    @Test func markedGroupsAreShownTogether() throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path)
            scene.type("jj jm")
            #expect(scene.screen.tree.selected == .group(view: "order", name: "fantasy"))
            scene.type("mk")
            scene.press(.enter)
            #expect(scene.screen.list.subject == .view("order", groups: ["cooking", "fantasy"]))
            #expect(scene.text.contains("order · 2 groups"))
            scene.type("h")
            scene.press(.escape)
            #expect(scene.screen.tree.marked.isEmpty)
        }
    }

    @Test func anIndexIsUnfoldedToTheOrdersOfItsColumns() throws {
        try withFile("json") { path in
            let scene = try BrowserScene(path)
            scene.type("jjj j")
            guard case .column(let index, let name)? = scene.screen.tree.selected else {
                Issue.record("\(String(describing: scene.screen.tree.selected)) is no column")
                return
            }
            #expect(scene.screen.list.subject == .index(index, by: name))
        }
    }

    @Test func damageIsSaidInWordsAndHidesNothing() throws {
        try withFile("books", changedBy: #"UPDATE "view_order_page" SET "count" = 7 WHERE "group" = 'mystery'"#) {
            path in
            let scene = try BrowserScene(path)
            scene.type("jj ")
            #expect(scene.text.contains("damaged"))
            #expect(scene.lines.contains { $0.contains("     cooking ") && $0.contains("102") })
            let sentences = scene.screen.tree.rows.sections.flatMap(\.rows).filter { row in
                if case .note = row.item { row.isDamaged } else { false }
            }
            #expect(!sentences.isEmpty)
        }
    }

    @Test func aNewerLayoutIsSaidAndShownAsFarAsItIsKnown() throws {
        try withFile("books", changedBy: "PRAGMA user_version = 99") { path in
            let scene = try BrowserScene(path)
            #expect(scene.text.contains("version 99"))
            #expect(scene.text.contains("NOTES") && scene.text.contains("481"))
            scene.press(.down)
            #expect(!scene.hint.contains("version 99"))
        }
    }

    @Test func ofATruncatedFileIsShownWhatIsLeft() throws {
        try withFile("books") { path in
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.truncate(atOffset: 150_000)
            try handle.close()
            let scene = try BrowserScene(path, width: 160, height: 40)
            // The words after it may be on the next line, where the folder has a longer name.
            #expect(scene.text.contains("is cut"))
            #expect(scene.lines.contains { $0.contains("books") && $0.contains("damaged") })
            #expect(scene.lines.contains { $0.contains("order") && $0.contains("damaged") })
            #expect(scene.text.contains("book-000") && scene.screen.list.failure == nil, "\(scene.text)")
            scene.type("jjj")
            #expect(scene.screen.tree.selected == .view("salesRank"), "\(scene.text)")
        }
    }

    @Test func countsComeLaterAndTheFirstFrameDoesNotWait() throws {
        try withFile("books") { path in
            let later = Later()
            let scene = try BrowserScene(path, background: later)
            #expect(scene.text.contains("reading…"))
            later.runOne()
            #expect(scene.text.contains("books") && !scene.text.contains("481"))
            scene.type("j")
            #expect(scene.screen.tree.selected == .view("inStock"))
            later.runAll()
            #expect(scene.text.contains("481"))
        }
    }
}
