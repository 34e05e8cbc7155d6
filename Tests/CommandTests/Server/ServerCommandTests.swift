import Foundation
import PostgreSQLTesting
import SQLiteBridge
import Testing

/// `yap server`, and what `browse` and `check` say of spaces and of files that follow one.
@Suite(.needsPostgreSQL, .serialized) struct ServerCommandTests {
    @Test func aSpaceIsMadeGrantedShownAndPurged() throws {
        let server = try PostgreSQLServer.shared.get()
        let (space, role) = ("space \(UUID().uuidString)", "role_\(UUID().uuidString.prefix(8))")
        try server.shell("psql -q -h '\(server.folder.path)' -U postgres -c 'CREATE ROLE \"\(role)\" LOGIN'")
        // Each step may be repeated.
        for _ in 0..<2 {
            let run = try yapServer(["init", "--space", space], server)
            #expect(run.code == 0 && run.errors == "", "\(run.errors)")
        }
        for _ in 0..<2 {
            #expect(try yapServer(["grant", "--space", space, "--role", role, "--write"], server).code == 0)
        }
        #expect(try yapServer(["grant", "--space", space, "--role", role, "--collection", "c"], server).code == 0)

        let text = try yapServer(["status"], server).text
        #expect(text.contains("\(space): commit") && text.contains("\(role) may write everything"), "\(text)")
        let status = try #require(
            try yapServer(["status", "--json"], server).objects().first { $0["space"] as? String == space })
        #expect(status["rows"] as? Int == 0)
        let rights = try #require(status["rights"] as? [[String: Any]])
        #expect(rights.contains { $0["role"] as? String == role && $0["canWrite"] as? Bool == true })

        #expect(try yapServer(["revoke", "--space", space, "--role", role], server).code == 0)
        #expect(try !yapServer(["status"], server).text.contains("\(role) may write everything"))
        #expect(try yapServer(["purge", "--space", space, "--days", "0"], server).code == 0)
        // What it does not know it does not do.
        let unknown = try yapServer(["revoke", "--space", "no such space", "--role", role], server)
        #expect(unknown.code != 0 && unknown.errors.contains("no such space"), "\(unknown.errors)")
    }

    /// What is no connection string is a file.
    @Test func theStatusOfAMissingFileSaysThatThereIsNone() throws {
        let run = try YapRun(["server", "status", "/nowhere/file.sqlite"])
        #expect(run.code == 1 && run.errors.contains("There is no file at /nowhere/file.sqlite."), "\(run.errors)")
    }

    @Test func theStatusOfAnEmptyFileLeavesItEmpty() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "empty.sqlite")
            try Data().write(to: file)
            let run = try YapRun(["server", "status", file.path])
            #expect(run.code == 1 && run.errors.contains("is empty: there is no database in it."), "\(run.errors)")
            #expect(try Data(contentsOf: file).isEmpty)
        }
    }

    @Test func aServerThatIsNotThereIsASentence() throws {
        let run = try YapRun(["server", "status", "host=/nowhere user=postgres dbname=postgres"])
        #expect(run.code == 1 && run.errors.contains("/nowhere"), "\(run.errors)")
    }

    @Test func aPasswordAmongTheArgumentsIsRefusedAndNotRepeated() throws {
        let run = try YapRun(["server", "status", "host=/nowhere user=postgres password=hunter2"])
        #expect(run.code == 2 && run.errors.contains("~/.pgpass") && !run.errors.contains("hunter2"), "\(run.errors)")
    }

    /// The file that follows the space is a whole copy of it, for as long as the command runs and no longer.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalLeavesNoCopyOfTheSpace(signal: Int32) throws {
        try withTemporaryFolder { folder in
            let server = try PostgreSQLServer.shared.get()
            let space = "space \(UUID().uuidString)"
            #expect(try yapServer(["init", "--space", space], server).code == 0)
            let run = try YapProcess(
                ["browse", "--space", space, "--collection", "c", "--follow", server.address()],
                environment: ["TMPDIR": folder.path])
            func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
            try waitUntil("the copy is there") { try names().contains { $0.hasPrefix("yap-space-") } }
            // Also one that comes before the space has.
            if signal != SIGHUP { try run.waitUntilItFollows() }
            run.send(signal)
            #expect(run.exitCode() == 128 + signal)
            #expect(try names() == [])
        }
    }

    /// Nor does a signal that comes while the second of two sources is waited for.
    @Test(arguments: [false, true]) func aSignalLeavesNoCopyOfEitherSource(isSpaceFirst: Bool) throws {
        try withTemporaryFolder { folder in
            let server = try PostgreSQLServer.shared.get()
            let space = "space \(UUID().uuidString)"
            #expect(try yapServer(["init", "--space", space], server).code == 0)
            let (export, copies) = (folder.appending(path: "export"), folder.appending(path: "copies"))
            try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: false)
            #expect(try YapRun(["export", "--to", export.path, originalFile("json").path]).code == 0)
            // A server that does not answer, or lines that do not come.
            let listener = try silentServer(in: folder)
            defer { close(listener) }
            let operands =
                isSpaceFirst
                ? ["postgresql:///postgres?host=\(server.folder.path)&user=postgres", "-"]
                : [export.path, "postgresql:///postgres?host=\(folder.path)&user=postgres&connect_timeout=60"]
            let run = try YapProcess(["diff", "--space", space] + operands, environment: ["TMPDIR": copies.path])
            func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: copies.path) }
            try waitUntil("both copies are there") { try names().count == 2 }
            run.send(SIGINT)
            #expect(run.exitCode() == 130)
            #expect(try names() == [])
        }
    }

    /// Returns the socket of a server that accepts connections and says nothing.
    private func silentServer(in folder: URL) throws -> Int32 {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = folder.appending(path: ".s.PGSQL.5432").path
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(isBound == 0 && listen(listener, 8) == 0)
        return listener
    }

    @Test func aSpaceIsBrowsedAndAFileIsCompared() throws {
        try withTemporaryFolder { folder throws in
            let server = try PostgreSQLServer.shared.get()
            let space = "space-\(UUID().uuidString)"
            #expect(try yapServer(["init", "--space", space], server).code == 0)
            let file = folder.appending(path: "chat.sqlite").path
            let chat = try YapRun([
                "chat", "--db", file, "--as", "alice", "--with", "bob", "--server", server.address(), "--space", space,
                "--headless", "--seconds", "2", "--rate", "5",
            ])
            let sent = chat.lines.count { $0.hasPrefix("stored") }
            #expect(chat.code == 0 && sent > 0, "\(chat.errors)")

            let listed = try browse("--list", "--json", "--space", space, server.address())
            #expect(listed.code == 0, "\(listed.errors)")
            let overview = try #require(try listed.objects().first)
            let collections = try #require(overview["collections"] as? [[String: Any]])
            let messages = collections.first { $0["name"] as? String == "chat" }
            #expect(messages?["count"] as? Int == sent, "\(listed.text)")
            #expect((overview["file"] as? [String: Any])?["follows"] as? String == space)

            let local = try browse("--list", file)
            #expect(local.text.contains(space), "\(local.text)")

            let same = try check([file, "--server", server.address()])
            #expect(same.code == 0, "\(same.text) \(same.errors)")
            // A row that the file has otherwise is found.
            let handle = try SQLiteHandle(path: file, mode: .readWrite)
            try handle.execute(#"UPDATE "database2" SET "data" = x'00' WHERE "collection" = 'people'"#)
            let other = try check([file, "--server", server.address()])
            #expect(other.code != 0 && other.text.contains("people"), "\(other.text) \(other.errors)")
        }
    }

    private func yapServer(_ arguments: [String], _ server: PostgreSQLServer) throws -> YapRun {
        try YapRun(["server"] + arguments + [server.address()])
    }
}
