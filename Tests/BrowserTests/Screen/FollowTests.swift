import FileBrowser
import Foundation
import LiveTable
import SQLiteBridge
import Testing

@testable import Browser

/// What others commit is shown: selection and position stay with their rows.
@MainActor @Suite struct FollowTests {
    @Test func rowsComeAndGoAndTheSelectionStays() throws {
        try whileWriting("json") { scene, write in
            scene.press(.enter)
            scene.type("20jzz")
            let y = try #require(scene.lines.firstIndex { $0.contains("▌k020") })
            try write(#"INSERT INTO database2 ("collection", "key", "data") VALUES ('c', 'a-new', '{}')"#)
            scene.screen.advance()
            scene.wait()
            #expect(scene.lines.firstIndex { $0.contains("▌k020") } == y)
            #expect(scene.text.contains("121 rows"))
            #expect(scene.lines.contains { $0.contains(" c ") && $0.contains("121") })
            try write("DELETE FROM database2 WHERE \"key\" = 'k020'")
            scene.screen.advance()
            scene.wait()
            #expect(scene.screen.list.selectedTexts?.key == "k021")
        }
    }

    @Test func changesAreAnimated() throws {
        try whileWriting("json") { scene, write in
            scene.press(.enter)
            _ = scene.grid
            try write(#"UPDATE database2 SET data = '{"text": "changed"}' WHERE rowid = 2"#)
            scene.screen.advance()
            #expect(scene.text.contains("changed"))
            #expect(scene.screen.nextTime() != nil)
            scene.wait()
            _ = scene.grid
            #expect(scene.screen.nextTime() == nil)
        }
    }

    @Test func aCollectionThatComesIsInTheTree() throws {
        try whileWriting("json") { scene, write in
            try write(#"INSERT INTO database2 ("collection", "key", "data") VALUES ('another', 'k', '{}')"#)
            scene.screen.advance()
            scene.wait()
            #expect(scene.lines.contains { $0.contains("COLLECTIONS") && $0.contains("2") })
            #expect(scene.lines.contains { $0.contains("another") && $0.contains("1") })
            #expect(scene.screen.tree.selected == .collection(StoredText("c")))
        }
    }

    @Test func aFilterFollows() throws {
        try whileWriting("json") { scene, write in
            scene.press(.enter)
            scene.type("&needle")
            scene.press(.enter)
            #expect(scene.text.contains("0 rows"))
            try write(#"UPDATE database2 SET data = '{"text": "needle"}' WHERE rowid IN (5, 7)"#)
            scene.screen.advance()
            scene.wait()
            #expect(scene.text.contains("&needle · 2 rows"))
            scene.press(.escape)
            #expect(scene.text.contains("120 rows"))
        }
    }

    @Test func theRowOnScreenIsReadAgain() throws {
        try whileWriting("json") { scene, write in
            try write(#"UPDATE database2 SET data = '{"text": "another text"}' WHERE rowid = 1"#)
            scene.screen.advance()
            scene.wait()
            #expect(scene.text.contains("\"another text\""))
        }
    }

    @Test func followingIsSwitchedOffAndOn() throws {
        try withFile("json") { path in
            let scene = try BrowserScene(path)
            #expect(scene.title.contains("paused"))
            scene.type("f")
            #expect(scene.title.contains("following #6") && scene.screen.following != nil)
            scene.type("f")
            #expect(scene.title.contains("paused") && scene.screen.following == nil)
        }
    }

    /// A file with a log that another connection holds open and writes to.
    private func whileWriting(
        _ name: String, _ body: @MainActor (BrowserScene, (String) throws -> Void) throws -> Void
    ) throws {
        try withFile(name) { path in
            let writer = try SQLiteHandle(path: path, mode: .readWrite, busyTimeout: 30_000)
            try writer.execute("PRAGMA journal_mode = WAL")
            try writer.execute("CREATE TABLE IF NOT EXISTS held (a)")
            let scene = try BrowserScene(path, width: 120)
            try body(scene) { try writer.execute($0) }
        }
    }
}
