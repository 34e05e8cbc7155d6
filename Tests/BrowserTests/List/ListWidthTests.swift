import FileReading
import LiveTable
import SQLiteBridge
import Testing

@testable import Browser

/// Keys with the same beginning can be distinguished, and columns have the width that the user chooses.
@MainActor @Suite struct ListWidthTests {
    private static let keys = #"UPDATE database2 SET "key" = 'user-1234567890-conversation-' || "key""#

    @Test(arguments: [60, 80, 100, 200]) func keysThatBeginAlikeDiffer(width: Int) throws {
        try inList(Self.keys, width: width) { scene in
            for number in ["k000", "k001", "k002"] { #expect(scene.text.contains(number), "\(scene.text)") }
        }
    }

    @Test func whereThereIsRoomAKeyIsWhole() throws {
        try inList(Self.keys, width: 200) { scene in
            #expect(scene.text.contains("user-1234567890-conversation-k001"))
        }
    }

    @Test func aWiderKeyThatArrivesWidensItsColumn() throws {
        try withFile("json") { path in
            let writer = try SQLiteHandle(path: path, mode: .readWrite, busyTimeout: 30_000)
            try writer.execute("PRAGMA journal_mode = WAL")
            try writer.execute("CREATE TABLE IF NOT EXISTS held (a)")
            let scene = try BrowserScene(path, width: 120)
            scene.press(.enter)
            _ = scene.grid
            try writer.execute(
                #"INSERT INTO database2 ("collection", "key", "data") VALUES ('c', 'a-much-longer-key', '{}')"#)
            scene.screen.advance()
            scene.type("g")
            #expect(scene.text.contains("a-much-longer-key"))
            let columns = try #require(scene.screen.list.rows?.columns)
            #expect(columns.fitted(width: 60)[0].width == "a-much-longer-key".count)
        }
    }

    @Test func theFirstColumnIsMadeWiderAndNarrower() throws {
        try inList { scene in
            let width = try width(scene, .key)
            scene.type("6>")
            #expect(try self.width(scene, .key) == width + 6)
            #expect(scene.hint.contains("The column key is \(width + 6) wide"))
            scene.type("<<")
            #expect(try self.width(scene, .key) == width + 4)
            scene.type("99<")
            #expect(try self.width(scene, .key) == 4)
            scene.type("=")
            #expect(try self.width(scene, .key) == width)
        }
    }

    @Test func anyColumnIsMadeWiderInTheMenuOfColumns() throws {
        try inList { scene in
            let column = try #require(scene.screen.list.rows?.columns.shown.dropFirst().first)
            let width = try width(scene, column)
            let index = try #require(scene.screen.list.rows?.columns.all.firstIndex(of: column))
            scene.type("c")
            #expect(scene.hint.contains("> wider") && scene.hint.contains("< narrower"))
            for _ in 0..<index { scene.type("j") }
            scene.type(">>>")
            #expect(try self.width(scene, column) == width + 3)
            #expect(scene.text.contains("\(width + 3) wide") && scene.screen.state.menu != nil)
            scene.type("=")
            #expect(try self.width(scene, column) == width)
            scene.press(.escape)
            #expect(scene.screen.state.menu == nil)
        }
    }

    private func width(_ scene: BrowserScene, _ column: ListColumn) throws -> Int {
        let columns = try #require(scene.screen.list.rows?.columns)
        let fitted = columns.fitted(width: scene.screen.list.table.width - 2)
        return try #require(fitted.first { $0.column == column }).width
    }

    private func inList(_ sql: String..., width: Int = 100, body: @MainActor (BrowserScene) throws -> Void) throws {
        try withFile("json") { path in
            try change(path, sql)
            let scene = try BrowserScene(path, width: width)
            scene.press(.enter)
            try body(scene)
        }
    }
}
