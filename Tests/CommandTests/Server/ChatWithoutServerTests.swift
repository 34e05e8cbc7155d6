import Foundation
import PostgreSQLTesting
import TerminalTesting
import TestSupport
import Testing

/// The file of a chat that follows a server, opened without it.
@Suite(.needsPostgreSQL, .serialized) struct ChatWithoutServerTests {
    @Test func whatIsWrittenWaitsAndIsSentWhenTheServerIsThere() async throws {
        try await withTemporaryFolder { folder in
            let server = try PostgreSQLServer()
            defer { server.stop() }
            #expect(try YapRun(["server", "init", "--space", "chat", server.address()]).code == 0)
            let file = folder.appending(path: "chat.sqlite").path
            #expect(try headless(file, ["--server", server.address()]).code == 0)

            let alone = try await chat(file)
            try await alone.shows("without its server", "alice 1")
            try await alone.press("Escape", "I am alone", "Enter")
            // At its place, with a sign that the server does not have it.
            try await alone.shows("I am alone ○", missing: "not sent")
            try await alone.press("/join #lonely", "Enter")
            try await alone.shows("#lonely")
            try await alone.press("C-c")
            try await alone.shows("ended: 1 2", "Not sent")

            let status = try YapRun(["server", "status", file])
            #expect(status.code == 0 && status.text.contains("mutations wait for the server"), "\(status.text)")
            let browse = try await YapShell("browse \(file)", width: 100, height: 50)
            try browse.start()
            try await browse.shows("waiting mutations")
            try await browse.press("q")
            try await browse.expectEnd(exitCode: 0)

            let again = try await chat(file, "--server '\(server.address())'")
            try await again.shows("#lonely")
            try await again.press("/to bob", "Enter")
            try await again.shows("I am alone ✓", missing: "not sent")
            try await again.press("C-c")
            try await again.expectEnd(exitCode: 0)
            #expect(try check([file]).code == 0)
            #expect(try check([file, "--server", server.address()]).code == 0)
        }
    }

    /// A conversation that is to be opened is opened, with or without the server.
    @Test func aRoomIsNamedWhereTheServerIsOutOfReach() async throws {
        try await withTemporaryFolder { folder in
            let server = try PostgreSQLServer()
            defer { server.stop() }
            #expect(try YapRun(["server", "init", "--space", "chat", server.address()]).code == 0)
            #expect(try YapRun(["server", "init", "--space", "", server.address()]).code == 2)
            let file = folder.appending(path: "chat.sqlite").path
            #expect(try headless(file, ["--server", server.address()]).code == 0)
            server.stop()
            for more in ["", "--server '\(server.address())'"] {
                let name = more.isEmpty ? "#alone" : "#later"
                let alone = try await YapShell("chat --db \(file) --as alice --with '\(name)' \(more)", width: 100)
                try alone.start()
                try await alone.composer("›")
                try await alone.shows(name)
                try await alone.press("Still here", "Enter")
                try await alone.shows("Still here ○")
                try await alone.press("C-c")
                try await alone.shows("ended: 1")
            }
            #expect(try check([file]).code == 0)
        }
    }

    @Test func aSpaceThatIsNotThereLeavesNoFile() throws {
        try withTemporaryFolder { folder throws in
            let server = try PostgreSQLServer()
            defer { server.stop() }
            #expect(try YapRun(["server", "init", "--space", "chat", server.address()]).code == 0)
            let run = try YapRun(
                ["chat", "--headless", "--seconds", "1", "--server", server.address(), "--space", "nospace"],
                environment: ["XDG_DATA_HOME": folder.path])
            #expect(run.code == 1 && run.errors.contains("does not exist"), "\(run.errors)")
            let left = (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/yap")) ?? []
            #expect(left.filter { $0.contains("sqlite") } == [])
        }
    }

    /// On a server all messages have the server's time.
    @Test func aWrongClockOfAHostDatesNothing() throws {
        try withTemporaryFolder { folder throws in
            let server = try PostgreSQLServer()
            defer { server.stop() }
            #expect(try YapRun(["server", "init", "--space", "chat", server.address()]).code == 0)
            let file = folder.appending(path: "chat.sqlite").path
            for ahead in ["315360000", "-315360000", "0"] {
                let arguments = ["chat", "--headless", "--seconds", "1", "--rate", "2", "--db", file, "--as", "alice"]
                let run = try YapRun(
                    arguments + ["--server", server.address()], environment: ["YAP_CLOCK_AHEAD": ahead])
                #expect(run.code == 0, "\(run.errors)")
            }
            let export = try YapRun(["chat", "export", "--json", "--with", "alice", "--as", "alice", "--db", file])
            let lines = export.text.split(separator: "\n")
            #expect(lines.count >= 3 && lines.allSatisfy { !$0.contains("\"said\"") }, "\(export.text)")
            let year = String(ISO8601DateFormatter().string(from: Date()).prefix(4))
            #expect(lines.allSatisfy { $0.contains("\"date\":\"\(year)-") }, "\(export.text)")
        }
    }

    @Test func theWayBackIsToldAndTheWayOut() throws {
        try withTemporaryFolder { folder throws in
            let server = try PostgreSQLServer()
            defer { server.stop() }
            #expect(try YapRun(["server", "init", "--space", "chat", server.address()]).code == 0)
            let file = folder.appending(path: "chat.sqlite").path
            #expect(try headless(file, ["--server", server.address()]).code == 0)

            // One who does not take part yet would have to be written.
            let stranger = try YapRun(["chat", "--headless", "--seconds", "1", "--db", file, "--as", "carol"])
            #expect(stranger.code == 1 && stranger.errors.contains("yap chat --server"), "\(stranger.errors)")
            let known = try headless(file, [])
            #expect(known.code == 1 && known.errors.contains("not stored"), "\(known.errors)")

            let out = try YapRun(["server", "detach", "--from", file])
            #expect(out.code == 0 && out.text.contains("the space \"chat\""), "\(out.text) \(out.errors)")
            #expect(try YapRun(["server", "detach", "--from", file]).code == 1)
            #expect(try headless(file, []).code == 0)
            let back = try headless(file, ["--server", server.address()])
            #expect(back.code == 1 && back.errors.contains("rows of its own"), "\(back.errors)")
            #expect(try check([file]).code == 0)
        }
    }

    @Test func aLocalChatMovesToAServerByTwoCommands() throws {
        try withTemporaryFolder { folder throws in
            let server = try PostgreSQLServer()
            defer { server.stop() }
            #expect(try YapRun(["server", "init", "--space", "chat", server.address()]).code == 0)
            let (old, new) = (folder.appending(path: "old.sqlite").path, folder.appending(path: "new.sqlite").path)
            #expect(try headless(old, []).code == 0)
            let export = folder.appending(path: "chat.json")
            let everything = try output(["chat", "export", "--db", old, "--as", "alice"])
            try Data(everything.utf8).write(to: export)
            let moved = try YapRun([
                "chat", "import", export.path, "--db", new, "--as", "alice", "--server", server.address(),
            ])
            #expect(moved.code == 0 && moved.text.contains("added"), "\(moved.text) \(moved.errors)")
            let messages = ["chat", "export", "--json", "--with", "bob", "--as", "alice", "--db"]
            #expect(try output(messages + [new]) == output(messages + [old]))
            #expect(try check([new, "--server", server.address()]).code == 0)
        }
    }

    private func headless(_ file: String, _ more: [String]) throws -> YapRun {
        try YapRun(
            ["chat", "--headless", "--seconds", "1", "--rate", "2", "--db", file, "--as", "alice", "--with", "bob"]
                + more)
    }

    private func chat(_ file: String, _ more: String = "") async throws -> YapShell {
        let shell = try await YapShell("chat --db \(file) --as alice --with bob \(more)", width: 100)
        try shell.start()
        try await shell.composer("›")
        return shell
    }
}
