import Foundation
import Testing

/// `--db` of the screens: a name that no file can have is refused before anything is created.
@Suite struct DatabaseOptionTests {
    @Test(arguments: ["chat", "lab"], ["-", ":memory:", ""]) func aNameThatIsNoFileIsRefused(
        command: String, name: String
    ) throws {
        try withTemporaryFolder { folder in
            let run = try YapRun([command, "--db", name], folder: folder)
            #expect(run.code == 2 && run.lines == [])
            #expect(run.errors.hasPrefix("yap: --db takes the name of a file, not \"\(name)\"."), "\(run.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }

    @Test(arguments: ["chat", "lab"]) func aFileIsNoFolder(command: String) throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "notes")
            try Data("text".utf8).write(to: file)
            for name in ["notes/c.sqlite", "notes/deep/er/c.sqlite", "\(file.path)/c.sqlite"] {
                let run = try YapRun([command, "--db", name], folder: folder)
                #expect(run.code == 1)
                #expect(run.errors.contains("\(name) cannot be a database:") && run.errors.contains("notes is a file"))
            }
            let run = try YapRun([command, "--db", "."], folder: folder)
            #expect(run.code == 1 && run.errors.contains("it is a folder"))
            #expect(try Data(contentsOf: file) == Data("text".utf8))
        }
    }
}
