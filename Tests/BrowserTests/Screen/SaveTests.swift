import FileReading
import Foundation
import LiveTable
import TestSupport
import Testing

@testable import Browser

/// Taking along what is on the screen: a list as a file, a value as bytes, a value in another program.
@MainActor @Suite struct SaveTests {
    @Test(arguments: ["csv", "jsonl", "md"]) func theListOnTheScreenIsSaved(ending: String) throws {
        try inBooks { scene, folder in
            scene.type("&=genre = 'travel'")
            scene.press(.enter)
            scene.type("Rfirst 3")
            scene.press(.enter)
            scene.type("r")
            let path = folder + "/out.\(ending)"
            save(scene, path)
            #expect(scene.text.contains("Saved 3 rows in"), "\(scene.text)")
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let keys = keys(scene)
            #expect(keys.count == 3)
            let lines = text.split(whereSeparator: \.isNewline).map(String.init)
            let rows = Array(lines.suffix(3))
            #expect(zip(rows, keys).allSatisfy { $0.contains($1) }, "\(text)")
            switch ending {
            case "csv": #expect(lines[0] == "key,sales,price,genre,title" && lines.count == 4, "\(lines)")
            case "md": #expect(lines[0] == "| key | sales | price | genre | title |" && lines.count == 5, "\(lines)")
            default:
                let object = try #require(
                    try JSONSerialization.jsonObject(with: Data(rows[0].utf8)) as? [String: Any])
                #expect(Set(object.keys) == ["key", "sales", "price", "genre", "title"])
            }
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.hasPrefix(".yap-") })
        }
    }

    /// What is saved is what the rows are, sorted by a field, with chosen columns, nested ones too.
    @Test func sortedAndWithChosenColumns() throws {
        try withFile(
            "json",
            changedBy: "UPDATE database2 SET data = json_set(data, '$.author', json('{\"name\":\"n' || rowid || '\"}'))"
        ) { path in
            let scene = try BrowserScene(path, width: 200)
            scene.press(.enter)
            scene.type("c")
            scene.press(.end, .enter)
            scene.type("author.name")
            scene.press(.enter)
            #expect(scene.text.contains("author.name") && scene.text.contains("n1"), "\(scene.text)")
            scene.type("]")
            let index = try #require(scene.screen.state.menu?.menu.choices.firstIndex { $0.title == "author.name" })
            scene.press(.home)
            for _ in 0..<index { scene.press(.down) }
            scene.press(.enter)
            #expect(scene.screen.list.selectedTexts?.text(of: .field("author.name")) == "n99", "\(scene.text)")
            let out = URL(filePath: path).deletingLastPathComponent().appending(path: "o.csv").path
            save(scene, out)
            let lines = try String(contentsOfFile: out, encoding: .utf8).split(whereSeparator: \.isNewline)
            #expect(lines[0].hasSuffix(",author.name") && lines[1].hasSuffix(",n99") && lines.count == 121)
        }
    }

    @Test func aFileIsReplacedOnlyWhenThatIsSaid() throws {
        try inBooks { scene, folder in
            let path = folder + "/out.csv"
            try Data("precious".utf8).write(to: URL(filePath: path))
            save(scene, path)
            #expect(scene.text.contains("exists") && scene.text.contains("Replace it"))
            scene.press(.enter)
            #expect(scene.screen.state.prompt != nil, "The safe choice is the first.")
            scene.press(.escape)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
            save(scene, path)
            scene.press(.up, .enter)
            #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("key,"))
        }
    }

    @Test(arguments: [
        ("out.txt", ".csv, .jsonl or .md"), ("nowhere/out.csv", "No such file"), ("", ""),
        ("books.sqlite", "never written to"),
        ("books.sqlite-wal", "never written to"),
    ])
    func whatCannotBeSavedIsASentence(name: String, words: String) throws {
        try inBooks { scene, folder in
            let before = try Data(contentsOf: URL(filePath: folder + "/books.sqlite"))
            save(scene, name.isEmpty ? "" : folder + "/" + name)
            if scene.screen.state.menu != nil { scene.press(.up, .enter) }
            #expect(words.isEmpty || scene.text.contains(words), "\(scene.text)")
            #expect(try Data(contentsOf: URL(filePath: folder + "/books.sqlite")) == before)
        }
    }

    @Test func aValueIsSavedByItsBytes() throws {
        let image: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 2, 0x80, 0, 0, 1, 0xE0, 8, 6, 0, 0, 0]
        let hex = image.map { String(format: "%02x", $0) }.joined()
        try withFile("json", changedBy: "UPDATE database2 SET data = x'\(hex)' WHERE key = 'k000'") { path in
            let folder = URL(filePath: path).deletingLastPathComponent().path
            let scene = try BrowserScene(path)
            scene.press(.enter)
            #expect(scene.lines.contains { $0.contains("PNG 640 × 480, 29 B") }, "\(scene.text)")
            scene.press(.enter)
            #expect(scene.text.contains("PNG 640 × 480"))
            scene.type("w")
            #expect(scene.hint.contains("Save PNG 640 × 480") && scene.hint.contains("k000.png"), "\(scene.hint)")
            clear(scene)
            scene.type(folder + "/i.png")
            scene.press(.enter)
            #expect(try Data(contentsOf: URL(filePath: folder + "/i.png")) == Data(image))
            // A field of another row.
            scene.type("h")
            scene.type("j")
            scene.press(.enter)
            scene.type("jj")
            let value = try #require(scene.screen.row.selectedBytes?.bytes)
            scene.type("w")
            clear(scene)
            scene.type(folder + "/v.txt")
            scene.press(.enter)
            #expect(try Data(contentsOf: URL(filePath: folder + "/v.txt")) == Data(value))
        }
    }

    @Test func anotherProgramGetsAPrivateFileThatIsGoneAtTheEnd() throws {
        setenv("YAP_OPEN", "less -S", 1)
        defer { unsetenv("YAP_OPEN") }
        try inBooks { scene, _ in
            scene.press(.enter)
            scene.type("v")
            _ = scene.grid
            let opened = try #require(scene.opened)
            #expect(opened.program.words == ["less", "-S"] && opened.program.takesTerminal)
            let attributes = try FileManager.default.attributesOfItem(atPath: opened.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600 && opened.path.hasSuffix(".plist"))
            let folder = URL(filePath: opened.path).deletingLastPathComponent().path
            #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
            scene.screen.stop()
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    @Test func whatIsSavedInTheBackgroundIsShownAndStopped() throws {
        try withFile("books") { path in
            let later = Later()
            let scene = try BrowserScene(path, background: later)
            later.runAll()
            scene.press(.enter)
            later.runAll()
            let folder = URL(filePath: path).deletingLastPathComponent().path
            save(scene, folder + "/out.csv")
            #expect(scene.hint.contains("saving out.csv") && scene.hint.contains("Esc stops"))
            scene.press(.escape)
            while later.count > 0 { later.runOne() }
            #expect(scene.text.contains("Stopped: nothing is saved."))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { $0.hasPrefix("books") })
        }
    }

    private func save(_ scene: BrowserScene, _ path: String) {
        scene.type("w")
        clear(scene)
        scene.type(path)
        scene.press(.enter)
    }

    /// Empties the line with the proposed name.
    private func clear(_ scene: BrowserScene) {
        while let field = scene.screen.state.prompt?.field, !field.isEmpty { scene.press(.backspace) }
    }

    private func keys(_ scene: BrowserScene) -> [String] {
        guard let rows = scene.screen.list.rows, rows.numberOfSections > 0 else { return [] }
        return (0..<rows.numberOfRows(in: 0)).compactMap { rows.texts(at: RowPath(section: 0, row: $0))?.key }
    }

    private func inBooks(body: @MainActor (BrowserScene, String) throws -> Void) throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path)
            scene.press(.enter)
            try body(scene, URL(filePath: path).deletingLastPathComponent().path)
        }
    }
}
