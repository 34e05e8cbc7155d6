import Foundation
import SQLiteBridge
import TerminalTesting
import Testing

/// Two processes as two people.
@Suite(.serialized) struct ChatTwoPeopleTests {
    @Test func eachSeesTheOthersWordsUnderTheOthersName() async throws {
        try await withTemporaryFolder { folder in
            let alice = try await YapShell.chat(in: folder, as: "alice", with: "bob")
            try await alice.press("Is that you?", "Enter")
            // Stored, and not read: bob has never been here.
            try await alice.shows("Is that you? ✓", missing: "✓✓")
            let bob = try await YapShell.chat(in: folder, as: "bob", with: "alice")
            try await bob.shows("Is that you?", "AVAILABLE")
            #expect(try under("alice", "Is that you?", bob.tmux.lines()))
            try await alice.shows("Is that you? ✓✓", "bob ● available")
            try await bob.press("It is", "M-x", ".")
            try await alice.shows("bob is typing…")
            try await bob.press("Enter")
            try await alice.shows("It is.", missing: "typing…")
            #expect(try under("bob", "It is.", alice.tmux.lines()))
            // Only the author can change it.
            try await alice.press("Tab", "Tab", "G", "e")
            try await alice.shows("Only messages of your own can be edited.")
            try await bob.press("Up", "!", "Enter")
            try await alice.shows("It is.! (edited)")
            for shell in [alice, bob] {
                try await shell.press("C-c")
                try await shell.expectEnd(exitCode: 0)
            }
        }
    }

    @Test(.enabled(if: OtherUser.isPossible, "starting a program as another user needs the superuser"))
    func twoUsersOfTheMachineTalk() async throws {
        try await withTemporaryFolder { folder in
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
            let alice = try await YapShell.chat(in: folder, as: "alice", with: "bob")
            // Alice lets the others of the machine write the file.
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o666], ofItemAtPath: folder.appending(path: "chat.sqlite").path)
            try await alice.press("C-c")
            try await alice.expectEnd(exitCode: 0)
            let bob = try await YapShell.chat(
                in: folder, as: "bob", with: "alice", environment: OtherUser.command(home: folder))
            let again = try await YapShell.chat(in: folder, as: "alice", with: "bob")
            try await again.press("hello", "Enter")
            try await bob.shows("alice ● available", "hello")
            try await bob.press("back", "Enter")
            try await again.shows("bob ● available", "▎ hello ✓✓", "back")
            try await bob.press("C-c")
            try await bob.expectEnd(exitCode: 0)
            // What the one user's program leaves is of use to the other's.
            try await again.press("still here", "Enter")
            try await again.shows("still here ✓", missing: "not sent")
            try await again.press("C-c")
            try await again.expectEnd(exitCode: 0)
        }
    }

    @Test(.enabled(if: OtherUser.isPossible, "becoming another user needs the superuser"))
    func aUserWhoMayNotWriteTheFileIsToldWhatHelps() throws {
        try withTemporaryFolder { folder throws in
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            let file = folder.appending(path: "chat.sqlite").path
            let chat = ["chat", "--headless", "--seconds", "0", "--db", file, "--as"]
            #expect(try YapRun(chat + ["alice"]).code == 0)
            let other = Process()
            let errors = Pipe()
            other.executableURL = URL(filePath: "/bin/sh")
            let command = (chat + ["bob"]).joined(separator: " ")
            other.arguments = ["-c", "\(OtherUser.command(home: folder)) \(try builtProduct("yap")) \(command)"]
            other.standardError = errors
            try other.run()
            let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            other.waitUntilExit()
            #expect(other.terminationStatus == 1 && text.contains("belongs to root"), "\(text)")
            #expect(text.contains("chmod g+rwxs \(folder.path)"), "\(text)")
        }
    }

    /// One account makes the file for a group, and another one of the group takes part; one outside of it does not.
    @Test(.enabled(if: OtherUser.isPossible, "becoming another user needs the superuser"))
    func accountsOfAGroupShareAFile() throws {
        let group = try #require(getgrnam("daemon")).pointee.gr_gid
        try withTemporaryFolder { folder throws in
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            let file = folder.appending(path: "ours/chat.sqlite").path
            func run(_ name: String, as user: String, _ arguments: String = "") throws -> Int32 {
                let chat = Process()
                chat.executableURL = URL(filePath: "/bin/sh")
                let command = "chat --headless --seconds 0 --db \(file) --as \(name) \(arguments)"
                chat.arguments = ["-c", "\(user) \(try builtProduct("yap")) \(command)"]
                chat.standardError = FileHandle.nullDevice
                try chat.run()
                chat.waitUntilExit()
                return chat.terminationStatus
            }
            #expect(try run("alice", as: "", "--group daemon") == 0)
            let member = OtherUser.command(home: folder, group: group)
            #expect(try run("bob", as: member) == 0 && run("bob", as: member, "--group daemon") == 0)
            #expect(try run("mallory", as: OtherUser.command(home: folder)) == 1)
            let people = try browse("--json", "--collection", "people", file).text
            #expect(people.contains("alice") && people.contains("bob") && !people.contains("mallory"), "\(people)")
        }
    }

    @Test(.enabled(if: OtherUser.isPossible, "becoming another user needs the superuser"))
    func theFileInTheUsersDataFolderIsTheUsersAlone() throws {
        try withTemporaryFolder { folder throws in
            let run = try YapRun(
                ["chat", "--headless", "--seconds", "0", "--as", "alice"], environment: ["XDG_DATA_HOME": folder.path])
            #expect(run.code == 0, "\(run.errors)")
            func mode(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: folder.path + path)[.posixPermissions] as? Int
            }
            #expect(try mode("/yap") == 0o700 && mode("/yap/chat.sqlite") == 0o600)
        }
    }

    @Test func whoIsKilledIsOfflineAndFindsTheDraftAgain() async throws {
        try await withTemporaryFolder { folder in
            let alice = try await YapShell.chat(in: folder, as: "alice", with: "bob")
            let bob = try await YapShell.chat(in: folder, as: "bob", with: "alice")
            try await alice.shows("bob ● available")
            try await bob.press("half a thought")
            try await bob.composer("› half a thought")
            try await alice.shows("bob is typing…")
            // The draft is stored a moment after the last key.
            let reader = try SQLiteHandle(
                path: folder.appending(path: "chat.sqlite").path, mode: .readOnly, busyTimeout: 30_000)
            let draft = try reader.statement(
                "SELECT 1 FROM database2 WHERE collection = 'drafts' AND instr(data, CAST('half a thought' AS BLOB))")
            try waitUntil("The draft is stored") {
                defer { draft.reset() }
                return try draft.step()
            }
            kill(try bob.process(), SIGKILL)
            try await alice.shows("bob ○ offline", "OFFLINE", missing: "typing…")
            // The last open conversation and its draft; the name is the last one in the file.
            let again = try await YapShell("chat --db \(folder.path)/chat.sqlite", width: 80)
            try again.start()
            try await again.composer("› half a thought")
            try await again.shows("alice ● available", "● bob")
            try await alice.shows("bob ● available")
        }
    }

    @Test func aRoomIsMadeAndTalkedIn() async throws {
        try await withTemporaryFolder { folder in
            let bob = try await YapShell.chat(in: folder, as: "bob", with: nil)
            let alice = try await YapShell.chat(in: folder, as: "alice", with: nil)
            try await alice.press("/join #tea", "Enter")
            try await alice.shows("#tea", "alice joined")
            try await alice.press("/topic green", "Enter", "/invite bob", "Enter", "@bob hello", "Enter")
            try await alice.shows("#tea  2 members · green")
            try await bob.shows("#tea", "@1")
            try await bob.press("M-a")
            try await bob.shows("alice invited bob", "@bob hello", "· green", missing: "@1")
            try await bob.press("/me nods", "Enter")
            try await alice.shows("* bob nods")
            try await bob.press("/leave", "Enter")
            try await alice.shows("bob left")
        }
    }

    @Test func manyMessagesMoveNoReadingPosition() async throws {
        try await withTemporaryFolder { folder in
            try YapShell.fillChat(in: folder, messages: 200)
            let shells = [
                try await YapShell.chat(in: folder, as: "alice", with: "Bob"),
                try await YapShell.chat(in: folder, as: "Bob", with: "alice"),
            ]
            var before: [[String]] = []
            for shell in shells {
                try await shell.shows("number 199 of 200")
                try await shell.press("PageUp", "PageUp")
                try await shell.shows("number 160 of 200", missing: "number 199")
                try await shell.rests()
                before.append(try texts(shell))
            }
            var stored = 0
            while stored < (Effort.isFull ? 300 : 100) {
                let writer = try YapRun([
                    "chat", "--db", "\(folder.path)/chat.sqlite", "--as", "Bob", "--with", "alice", "--headless",
                    "--seconds", "1", "--rate", "400",
                ])
                try #require(writer.code == 0, "\(writer.errors)")
                stored += writer.lines.count { $0.hasPrefix("stored") }
            }
            try await shells[0].shows("new below")
            for (shell, lines) in zip(shells, before) { #expect(try texts(shell) == lines) }
        }
    }

    /// The numbers on the screen, with their lines.
    private func texts(_ shell: YapShell) throws -> [String] {
        try shell.tmux.lines().enumerated().compactMap { index, line in
            line.firstRange(of: /number \d+ of 200/).map { "\(index): \(line[$0])" }
        }
    }

    /// Whether the last line before a text that is no text itself has a name.
    private func under(_ name: String, _ text: String, _ lines: [String]) -> Bool {
        let conversation = lines.map { $0.split(separator: "│", maxSplits: 1).last.map(String.init) ?? "" }
        guard let line = conversation.firstIndex(where: { $0.contains(text) && !$0.contains("›") }) else {
            return false
        }
        return conversation[..<line].last { $0.contains(/[0-9]{2}:[0-9]{2}/) }?.contains(name) == true
    }
}
