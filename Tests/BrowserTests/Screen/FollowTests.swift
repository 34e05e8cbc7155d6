import Foundation
import LiveTable
import SQLiteBridge
import Testing

@testable import Browser
@testable import FileReading

/// Commits of others are shown: selection and position stay with their rows.
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

    /// SQLite gives the rowid of a removed row to the next one. The selection does not go with it.
    @Test func theSelectionDoesNotGoWithARowidThatIsUsedAgain() throws {
        try whileWriting("json") { scene, write throws in
            @MainActor func commit(_ statements: String...) throws {
                for statement in statements { try write(statement) }
                scene.screen.advance()
                scene.wait()
            }
            scene.press(.enter)
            try commit("UPDATE database2 SET rowid = 100000 WHERE \"key\" = 'k020'")
            scene.type("20j")
            #expect(scene.screen.list.selectedTexts?.key == "k020")
            try commit(
                "DELETE FROM database2 WHERE \"key\" = 'k020'",
                "INSERT INTO database2 (rowid, collection, \"key\", data) VALUES (100000, 'c', 'z-new', '{}')")
            #expect(scene.screen.list.selectedTexts?.key == "k021")
            #expect(scene.text.contains("120 rows"))
        }
    }

    @Test func changesAreAnimated() throws {
        try whileWriting("json") { scene, write in
            scene.press(.enter)
            _ = scene.grid
            try write(#"UPDATE database2 SET data = '{"text": "changed"}' WHERE rowid = 2"#)
            scene.screen.advance()
            #expect(scene.text.contains("changed"))
            #expect(scene.screen.nextFrame != nil)
            scene.wait()
            _ = scene.grid
            #expect(scene.screen.nextFrame == nil)
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
            #expect(scene.text.contains("&needle · row 1 · 2 rows"))
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

    @Test func aFileThatIsRemovedIsSaidAndItsLastStateStays() throws {
        try withFile("json") { path in
            let scene = try BrowserScene(path)
            scene.press(.enter)
            try FileManager.default.removeItem(atPath: path)
            scene.screen.advance()
            scene.wait()
            #expect(scene.text.contains("is gone: it was moved, removed or replaced"), "\(scene.text)")
            #expect(scene.text.contains("k003"))
        }
    }

    @Test func aFileThatComesBackIsSaid() throws {
        try withFile("json") { path in
            let scene = try BrowserScene(path)
            try FileManager.default.moveItem(atPath: path, toPath: path + "-away")
            scene.screen.advance()
            scene.wait()
            #expect(scene.text.contains("is gone: it was moved, removed or replaced"), "\(scene.text)")
            try FileManager.default.moveItem(atPath: path + "-away", toPath: path)
            scene.screen.advance()
            scene.wait()
            #expect(scene.text.contains("The file can be read again."), "\(scene.text)")
        }
    }

    @Test func anotherFileInItsPlaceIsSaid() throws {
        try withFile("json") { path in
            let scene = try BrowserScene(path)
            scene.press(.enter)
            try withFile("books") { other in
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.moveItem(atPath: other, toPath: path)
            }
            scene.screen.advance()
            scene.wait()
            #expect(scene.text.contains("Another file has taken the place of"), "\(scene.text)")
            #expect(scene.text.contains("books"), "\(scene.text)")
        }
    }

    /// What was not read yet is not said to be read for ever.
    @Test func whatCannotBeReadAnyMoreIsSaid() throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path)
            try FileManager.default.removeItem(atPath: path)
            // As a state ends that another program has written over.
            scene.screen.file.snapshot.close()
            scene.press(.down)
            #expect(scene.text.contains("is gone: it was moved, removed or replaced"), "\(scene.text)")
            #expect(scene.text.contains("Not available any more") && !scene.text.contains("reading…"), "\(scene.text)")
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

    /// A search that another program interrupts at every step, and whose state disappears, continues to an exact end.
    @Test(arguments: [true, false]) func aSearchGoesOnWhileOthersCommit(isFilter: Bool) throws {
        let later = Later()
        try whileWriting("json", background: later) { scene, write in
            later.runAll()
            scene.press(.enter)
            later.runAll()
            scene.type("\(isFilter ? "&" : "/")needle")
            scene.press(.enter)
            for round in 0..<6 {
                scene.screen.file.snapshot.loosen()
                try write(#"UPDATE database2 SET data = '{"text": "needle"}' WHERE rowid = \#(round * 7 + 3)"#)
                try write(#"INSERT INTO database2 ("collection", "key", "data") VALUES ('c', 'a\#(round)', '{}')"#)
                later.runOne()
                #expect(scene.screen.state.search != nil)
            }
            try write(#"UPDATE database2 SET data = '{}' WHERE rowid = 3"#)
            scene.screen.advance()
            later.runAll()
            scene.wait()
            let state = try #require(scene.screen.state.search)
            #expect(state.search.isDone && state.search.count == 5)
            if isFilter { #expect(scene.text.contains("&needle · row 1 · 5 rows")) }
        }
    }

    /// A commit does not delay what waits for the count of a list.
    @Test func aNumberIsReachedThoughOthersCommit() throws {
        let rows = """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) \
            INSERT INTO database2 (collection, key, data) SELECT 'c', printf('m%05d', i), '{}' FROM n
            """
        try withFile("json", changedBy: rows) { path in
            let writer = try SQLiteHandle(path: path, mode: .readWrite, busyTimeout: 30_000)
            try writer.execute("CREATE TABLE IF NOT EXISTS held (a)")
            let later = Later()
            let scene = try BrowserScene(path, width: 120, background: later)
            while scene.screen.list.rows == nil { later.runOne() }
            scene.press(.enter)
            scene.type("5000G")
            #expect(scene.screen.state.reading.goal != nil)
            try writer.execute(#"INSERT INTO database2 ("collection", "key", "data") VALUES ('c', 'zz', '{}')"#)
            scene.screen.advance()
            // Only the step; the count of the older state has not begun.
            later.runLast()
            #expect(scene.screen.state.reading.goal == nil)
            #expect(scene.screen.list.selectedTexts?.key == "m04880")
            later.runAll()
            #expect(scene.text.contains("9,121 rows"))
        }
    }

    @Test(arguments: ["&", "/"]) func anotherOrderOfAStateThatIsGoneKeepsWhatIsSearchedFor(sign: String) throws {
        let later = Later()
        try whileWriting("json", background: later) { scene, write in
            later.runAll()
            scene.press(.enter)
            scene.type("\(sign)number 11")
            scene.press(.enter)
            later.runAll()
            scene.type("jjj")
            let key = scene.screen.list.selectedTexts?.key
            scene.screen.file.snapshot.loosen()
            try write(#"INSERT INTO database2 ("collection", "key", "data") VALUES ('c', 'a', '{"a": "number 11"}')"#)
            scene.type("sr")
            later.runAll()
            scene.wait()
            #expect(scene.screen.list.subject == .collection(StoredText("c"), by: .rowid))
            let search = scene.screen.state.search
            #expect(search?.isFilter == (sign == "&") && search?.search.count == 12)
            #expect(scene.screen.list.selection.isReversed && scene.screen.state.typedAhead.isEmpty)
            #expect(key != nil && scene.screen.list.selectedTexts?.key == key)
        }
    }

    @Test func aSearchOfKeysGoesOnWhileOthersCommit() throws {
        let later = Later()
        try whileWriting("json", background: later) { scene, write in
            later.runAll()
            scene.press(.enter)
            later.runAll()
            scene.type("Kk11")
            scene.press(.enter)
            for round in 0..<4 {
                scene.screen.file.snapshot.loosen()
                try write(#"INSERT INTO database2 ("collection", "key", "data") VALUES ('c', 'k11-\#(round)', '{}')"#)
                try write(#"UPDATE database2 SET data = '{"text": "k11"}' WHERE rowid = \#(round * 7 + 3)"#)
                later.runOne()
            }
            scene.screen.advance()
            later.runAll()
            scene.wait()
            let state = try #require(scene.screen.state.search)
            #expect(state.search.isDone && state.search.count == 14)
        }
    }

    @Test func theTreeCountsThoughCommitsNeverEnd() throws {
        let later = Later()
        try whileWriting("json", background: later) { scene, write in
            later.runAll()
            for round in 1...20 {
                try write(#"INSERT INTO database2 ("collection", "key", "data") VALUES ('d', 'k\#(round)', '{}')"#)
                scene.screen.advance()
                // Only a part of the work: the next commit comes first.
                for _ in 0..<3 where later.count > 0 { later.runOne() }
                scene.wait()
            }
            let known = try #require(scene.screen.tree.known)
            #expect(known.counts[StoredText("d")]?.known ?? 0 > 10)
            later.runAll()
            #expect(scene.lines.contains { $0.contains(" d ") && $0.contains("20") })
        }
    }

    @Test func aListThatIsNotWantedAnyMoreIsNotShown() throws {
        let later = Later()
        try whileWriting("json", background: later) { scene, _ in
            later.runAll()
            scene.screen.tree.select(.smallValues, at: 100)
            scene.screen.showSelected()
            scene.type("j")
            later.runAll()
            #expect(scene.screen.list.subject == nil && scene.screen.list.rows == nil)
            scene.type("k")
            later.runAll()
            #expect(scene.lines.contains { $0.contains("yap2") && $0.contains("rows") })
        }
    }

    /// A file with a log that another connection holds open and writes to.
}
