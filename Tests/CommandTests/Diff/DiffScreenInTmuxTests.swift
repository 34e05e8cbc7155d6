import Foundation
import PostgreSQLTesting
import SQLiteBridge
import TerminalTesting
import Testing

/// `yap diff` on a real terminal emulator.
@Suite(.serialized) struct DiffScreenInTmuxTests {
    @Test func aChangeIsFoundOpenedAndTheFilesStayAsTheyAre() async throws {
        try await withCopy(of: "json") { file in
            try change(file)
            let shell = try await YapShell("diff \(originalFile("json").path) \(file.path)")
            let before = try FileTrace(file)
            try shell.start(environment: "NO_COLOR=1")
            try await shell.shows("1 gone · 1 changed", "~ k007")
            try await shell.press("/", "k007", "Enter", "Enter")
            try await shell.shows("~ c/k007", "+ added")
            try shell.tmux.resize(width: 60, height: 12)
            try await shell.wait(for: "The panel at 60x12") { $0.count >= 12 && $0[11].contains("quit") }
            try shell.tmux.resize(width: 200, height: 50)
            try await shell.wait(for: "The screen at 200x50") { $0.count >= 50 && $0[49].contains("quit") }
            try await shell.press("q")
            try await shell.expectEnd(exitCode: 1)
            #expect(try FileTrace(file) == before)
        }
    }

    @Test func equalFilesEndWithZeroAndSignalsWithTheirs() async throws {
        try await withCopy(of: "json") { file in
            let shell = try await YapShell("diff \(originalFile("json").path) \(file.path)")
            try shell.start()
            try await shell.shows("No difference")
            try await shell.press("C-c")
            try await shell.expectEnd(exitCode: 0)
            try shell.tellShell("clear")
            try shell.start()
            try await shell.shows("No difference")
            kill(try shell.process(), SIGTERM)
            try await shell.expectEnd(exitCode: 143)
        }
    }

    @Test func withPlainThereAreLinesOnATerminalToo() async throws {
        try await withCopy(of: "json") { file in
            try change(file)
            let shell = try await YapShell("diff --plain --rows-only \(originalFile("json").path) \(file.path)")
            try shell.start()
            try await shell.shows("- c/k003", "ended: 1 2")
        }
    }

    @Test func anExportIsComparedOnTheScreenAndItsTemporaryFileIsRemoved() async throws {
        try await withCopy(of: "json") { file in
            let folder = file.deletingLastPathComponent()
            #expect(try YapRun(["export", "--to", "rows", file.path], folder: folder).code == 0)
            try change(file)
            let temporary = folder.appending(path: "tmp")
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
            let shell = try await YapShell("diff \(folder.path)/rows \(file.path)")
            try shell.start(environment: "TMPDIR=\(temporary.path)")
            try await shell.shows("1 gone · 1 changed", "~ k007")
            try await shell.press("q")
            try await shell.expectEnd(exitCode: 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
        }
    }

    private func change(_ file: URL) throws {
        let handle = try SQLiteHandle(path: file.path, mode: .readWrite)
        try handle.execute("DELETE FROM database2 WHERE key = 'k003'")
        try handle.execute("UPDATE database2 SET data = json_set(data, '$.added', 5) WHERE key = 'k007'")
    }
}

/// A file beside a server's space, in lines and on the screen, in both orders.
@Suite(.needsPostgreSQL, .serialized) struct DiffServerTests {
    @Test func aFileIsComparedWithASpaceInBothOrders() async throws {
        try await withTemporaryFolder { folder in
            let server = try PostgreSQLServer.shared.get()
            let space = "space-\(UUID().uuidString)"
            #expect(try YapRun(["server", "init", "--space", space, server.address()]).code == 0)
            let file = folder.appending(path: "chat.sqlite")
            let chat = try YapRun([
                "chat", "--db", file.path, "--as", "alice", "--with", "bob", "--server", server.address(), "--space",
                space, "--headless", "--seconds", "2", "--rate", "5",
            ])
            #expect(chat.code == 0, "\(chat.errors)")
            let address = try #require(uri(of: server))
            func diff(_ operands: [String]) throws -> YapRun {
                try YapRun(["diff", "--rows-only", "--json", "--space", space] + operands)
            }
            // The chat's own rows of this host stay out of the space.
            let before = try diff([file.path, address])
            #expect(before.code == 0 || before.code == 1, "\(before.errors)")
            let handle = try SQLiteHandle(path: file.path, mode: .readWrite)
            try handle.execute(
                "INSERT INTO database2 (collection, key, data) VALUES ('chat', 'zz-only-here', '{\"a\":1}')")
            let gone = try diff([file.path, address])
            let row = #""collection":"chat","key":"zz-only-here""#
            #expect(gone.code == 1 && gone.text.contains(#""change":"delete","# + row), "\(gone.text)\(gone.errors)")
            let new = try diff([address, file.path])
            #expect(new.code == 1 && new.text.contains(#""change":"insert","# + row), "\(new.text)\(new.errors)")

            for (operands, sign) in [("\(file.path) '\(address)'", "-"), ("'\(address)' \(file.path)", "+")] {
                let shell = try await YapShell("diff --rows-only --space \(space) \(operands)")
                try shell.start()
                try await shell.shows("\(sign) zz-only-here")
                try await shell.press("/", "zz-only", "Enter", "Enter")
                try await shell.shows("chat/zz-only-here", "\(sign) a")
                try await shell.press("q")
                try await shell.expectEnd(exitCode: 1)
            }
        }
    }

    /// The server's address as a URI, which tells it from a file.
    private func uri(of server: PostgreSQLServer) -> String? {
        let parts = server.address().split(separator: " ").map {
            $0.split(separator: "=", maxSplits: 1).map(String.init)
        }
        let named = Dictionary(parts.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
        guard let host = named["host"] else { return server.address().hasPrefix("postgres") ? server.address() : nil }
        let folder = host.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? host
        return "postgresql://\(named["user"] ?? "postgres")@/\(named["dbname"] ?? "postgres")?host=\(folder)"
    }
}
