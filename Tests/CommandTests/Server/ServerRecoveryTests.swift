import Foundation
import PostgreSQLTesting
import TestSupport
import Testing

/// `yap server rows`, `restore` and `take`, on the file of a chat.
@Suite(.needsPostgreSQL, .serialized) struct ServerRecoveryTests {
    @Test func aLostSpaceIsGivenItsRowsBackOrTheFileTakesTheNewOne() throws {
        try withTemporaryFolder { folder throws in
            let server = try PostgreSQLServer()
            defer { server.stop() }
            #expect(try yapServer(["init", "--space", "chat"], server).code == 0)
            let file = folder.appending(path: "chat.sqlite").path
            #expect(try chat(file, server).code == 0)
            let before = try messages(file)
            #expect(!before.isEmpty)

            try server.shell("psql -q -h '\(server.folder.path)' -U postgres -c 'DROP SCHEMA yap CASCADE'")
            #expect(try yapServer(["init", "--space", "chat"], server).code == 0)
            let refused = try chat(file, server)
            #expect(
                refused.code == 1 && refused.errors.contains("another one than the file has followed"),
                "\(refused.errors)")
            #expect(try messages(file) == before)
            let lost = try check([file, "--server", server.address()])
            #expect(lost.code == 1 && lost.text.contains("yap server restore --from FILE"), "\(lost.text)")
            #expect(!lost.text.contains("remove the file"), "it may be the last copy")

            let given = try yapServer(["restore", "--from", file], server)
            #expect(given.code == 0 && given.text.contains("was given"), "\(given.text) \(given.errors)")
            #expect(try yapServer(["restore", "--from", file], server).text.contains("given 0 rows"))
            #expect(try chat(file, server).code == 0)
            #expect(Set(try messages(file)).isSuperset(of: before))
            let same = try check([file, "--server", server.address()])
            #expect(same.code == 0, "\(same.text) \(same.errors)")

            try server.shell("psql -q -h '\(server.folder.path)' -U postgres -c 'DROP SCHEMA yap CASCADE'")
            #expect(try yapServer(["init", "--space", "chat"], server).code == 0)
            let kept = try messages(file)
            let taken = try YapRun(["server", "take", "--into", file])
            #expect(taken.code == 0, "\(taken.errors)")
            #expect(try chat(file, server).code == 0)
            #expect(Set(try messages(file)).isDisjoint(with: kept))
            let copies = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                $0.hasPrefix("chat.sqlite.before-")
            }
            let copy = try #require(copies.first)
            #expect(try messages(folder.appending(path: copy).path) == kept)
        }
    }

    /// The program that was refused goes on when another one has the file take the server's state.
    @Test func aFileInUseTakesTheServersState() throws {
        try withTemporaryFolder { folder throws in
            let server = try PostgreSQLServer()
            defer { server.stop() }
            #expect(try yapServer(["init", "--space", "chat"], server).code == 0)
            let file = folder.appending(path: "chat.sqlite").path
            let chat = try YapProcess([
                "chat", "--db", file, "--as", "alice", "--with", "bob", "--server", server.address(), "--headless",
                "--seconds", "600", "--rate", "5",
            ])
            for _ in 0..<3 { #expect(try chat.readLine()?.hasPrefix("stored") == true) }
            try server.shell("psql -q -h '\(server.folder.path)' -U postgres -c 'DROP SCHEMA yap CASCADE'")
            #expect(try yapServer(["init", "--space", "chat"], server).code == 0)
            let taken = try YapRun(["server", "take", "--into", file])
            #expect(taken.code == 0, "\(taken.errors)")
            try waitUntil("messages reach the new space") {
                (try yapServer(["status", "--json"], server).objects().first?["rows"] as? Int ?? 0) > 5
            }
            chat.send(SIGKILL)
            _ = chat.exitCode()
            #expect(try check([file, "--server", server.address()]).code == 0)
        }
    }

    @Test func rowsThatNoFileCanTakeAreShownAndRemoved() throws {
        try withTemporaryFolder { folder throws in
            let server = try PostgreSQLServer()
            defer { server.stop() }
            #expect(try yapServer(["init", "--space", "chat"], server).code == 0)
            let file = folder.appending(path: "chat.sqlite").path
            #expect(try chat(file, server).code == 0)
            #expect(
                try yapServer(["rows", "--space", "chat"], server).text == "Files can take every row of the space.\n")
            try server.shell(
                """
                psql -q -h '\(server.folder.path)' -U postgres -c "INSERT INTO yap.row (space, collection, key, born, object_at, \
                metadata_at, changed) SELECT id, 'chat', 'bad', number, number, number, number FROM yap.space"
                """)
            let shown = try yapServer(["rows", "--space", "chat"], server)
            #expect(shown.text == "\"bad\" in \"chat\": it has no object\n", "\(shown.text) \(shown.errors)")
            let row = try #require(try yapServer(["rows", "--space", "chat", "--json"], server).objects().first)
            #expect(row["key"] as? String == "bad")
            // The chat goes on beside it, and check says it.
            #expect(try chat(file, server).code == 0)
            let other = try check([file, "--server", server.address()])
            #expect(other.code == 1 && other.text.contains("yap server rows"), "\(other.text) \(other.errors)")

            let removed = try yapServer(["rows", "--space", "chat", "--remove"], server)
            #expect(removed.text == "1 row was removed.\n", "\(removed.text) \(removed.errors)")
            #expect(try chat(file, server).code == 0)
            #expect(try check([file, "--server", server.address()]).code == 0)

            let none = try yapServer(
                ["rows", "--space", "chat", "--collection", "chat", "--key", "bad", "--remove"], server)
            #expect(none.code == 1 && none.errors.contains("no such row"), "\(none.errors)")
            let bad = try yapServer(["rows", "--space", "chat", "--collection", "chat"], server)
            #expect(bad.code == 2, "\(bad.errors)")
        }
    }

    private func chat(_ file: String, _ server: PostgreSQLServer) throws -> YapRun {
        try YapRun([
            "chat", "--db", file, "--as", "alice", "--with", "bob", "--server", server.address(), "--headless",
            "--seconds", "2", "--rate", "5",
        ])
    }

    private func messages(_ file: String) throws -> [String] {
        try output(["browse", file, "--collection", "chat", "--json"]).split(separator: "\n").map(String.init)
    }

    private func yapServer(_ arguments: [String], _ server: PostgreSQLServer) throws -> YapRun {
        try YapRun(["server"] + arguments + [server.address()])
    }
}
