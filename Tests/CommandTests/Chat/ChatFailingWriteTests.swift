import Foundation
import TerminalTesting
import TestSupport
import Testing
import YapDatabase

/// Typed text is never lost silently, and no key waits for a commit.
@Suite(.serialized) struct ChatFailingWriteTests {
    private struct Size: CustomStringConvertible {
        let width: Int
        let height: Int
        var description: String { "\(width)x\(height)" }
    }

    private static let sizes = Effort.some([
        Size(width: 80, height: 24), Size(width: 48, height: 24), Size(width: 40, height: 12),
        Size(width: 20, height: 6),
    ])

    @Test(arguments: sizes)
    private func behindALockOneTypesOnAndTheTextComesBackWithTheReason(size: Size) async throws {
        // A busy machine may look at the screen too late to tell.
        for _ in 1...3 where try await typesOnBehindALock(size) { return }
        Issue.record("A key waited for a commit three times.")
    }

    /// - Returns: whether the key after Enter was drawn before the busy timeout.
    private func typesOnBehindALock(_ size: Size) async throws -> Bool {
        try await withTemporaryFolder { folder in
            let shell = try await chat(in: folder, size)
            let lock = try FileLock(folder.appending(path: "chat.sqlite"))
            let start = ContinuousClock.now
            try await shell.press("first", "Enter", "sec")
            try await shell.composer("› sec")
            let hasWaited = .now - start >= .seconds(4)
            // The reason is drawn without any key, and the text stays where it is.
            try await shell.wait(for: "The reason") { Self.words($0).contains("not sent: first") }
            #expect(.now - start > .seconds(3))
            try await shell.composer("› sec")
            try lock.release()
            // By itself.
            try await shell.wait(for: "The message") { !Self.words($0).contains("not sent") }
            try await shell.press("ond", "Enter")
            if size.height > 10 { try await shell.shows("first ✓", "second ✓", missing: "not sent") }
            try await shell.press("C-c")
            try await shell.expectEnd(exitCode: 0)
            return !hasWaited
        }
    }

    @Test func aReasonThatIsLongForTheScreenCanBeOpened() async throws {
        try await withTemporaryFolder { folder in
            let shell = try await chat(in: folder, Size(width: 20, height: 6))
            let lock = try FileLock(folder.appending(path: "chat.sqlite"))
            try await shell.press("first", "Enter")
            try await shell.wait(for: "The failure") { Self.words($0).contains("not sent") }
            try await shell.press("M-e")
            try await shell.shows("What went wron")
            try await shell.press("G")
            try await shell.shows("BEGIN")
            try await shell.press("Escape")
            // Taken back, to be changed.
            try await shell.wait(for: "The line") { !Self.words($0).contains("What went") }
            // While it is tried once more, which fails.
            try await shell.press("M-r", "M-x")
            try await shell.composer("› first")
            try lock.release()
        }
    }

    @Test func killedBehindALockItIsSentAtTheNextStart() async throws {
        try await withTemporaryFolder { folder in
            let shell = try await chat(in: folder, Size(width: 80, height: 24))
            let lock = try FileLock(folder.appending(path: "chat.sqlite"))
            try await shell.press("one", "Enter", "two", "Enter")
            try await shell.shows("sending: one", "sending: two")
            try await shell.kill()
            try lock.release()
            let again = try await chat(in: folder, Size(width: 80, height: 24))
            try await again.shows("one ✓", "two ✓", missing: "not sent")
            try await again.press("C-c")
            try await again.expectEnd(exitCode: 0)
            let export = try YapRun([
                "chat", "export", "--with", "Bob", "--as", "alice", "--db", "\(folder.path)/chat.sqlite",
            ])
            #expect(export.text.split(separator: "\n").map { $0.suffix(10) } == ["alice: one", "alice: two"])
        }
    }

    @Test(.enabled(if: TinyDisk.isPossible, "mounting needs the superuser"))
    func aDiskThatIsFullKeepsTheTextInPlace() async throws {
        try await TinyDisk.with(megabytes: 2) { folder in
            let shell = try await chat(in: folder, Size(width: 40, height: 16))
            let filler = folder.appending(path: "filler")
            try Self.fill(filler)
            try await shell.press("no room for this", "Enter")
            try await shell.wait(for: "The reason") { lines in
                Self.words(lines).contains("not sent: no room for this") && Self.words(lines).contains("full")
            }
            // Not even a kill loses it.
            try await shell.kill()
            try FileManager.default.removeItem(at: filler)
            let again = try await chat(in: folder, Size(width: 40, height: 16))
            try await again.shows("no room for this ✓", missing: "not sent")
        }
    }

    @Test func aFileThatIsMovedAwayKeepsTheTextInPlace() async throws {
        try await withTemporaryFolder { folder in
            let shell = try await chat(in: folder, Size(width: 40, height: 16))
            let (file, aside) = (folder.appending(path: "chat.sqlite").path, folder.appending(path: "aside").path)
            #expect(rename(file, aside) == 0)
            try await shell.press("to nowhere", "Enter")
            try await shell.wait(for: "The reason") { lines in
                Self.words(lines).contains("not sent: to nowhere") && Self.words(lines).contains("was moved, removed")
            }
            #expect(!FileManager.default.fileExists(atPath: file))
            #expect(rename(aside, file) == 0)
            try await shell.press("M-r")
            try await shell.shows("to nowhere ✓", missing: "not sent")
        }
    }

    @Test(.enabled(if: ImmutableFlag.isPossible, "making a file read-only for open programs needs the superuser"))
    func aFileThatBecomesReadOnlyKeepsTheTextInPlace() async throws {
        try await withTemporaryFolder { folder in
            let shell = try await chat(in: folder, Size(width: 40, height: 16))
            try await shell.press("before", "Enter")
            try await shell.shows("before ✓")
            let files = ["chat.sqlite", "chat.sqlite-wal"].map { folder.appending(path: $0) }
            for file in files { try ImmutableFlag.set(true, file) }
            defer { for file in files { try? ImmutableFlag.set(false, file) } }
            try await shell.press("read-only", "Enter")
            try await shell.wait(for: "The reason") { lines in
                Self.words(lines).contains("not sent: read-only") && Self.words(lines).contains("permissions")
            }
            for file in files { try ImmutableFlag.set(false, file) }
            try await shell.press("M-r")
            try await shell.shows("read-only ✓", missing: "not sent")
        }
    }

    @Test func anEditOfAMessageThatWasDeletedMeanwhileComesBack() async throws {
        try await withTemporaryFolder { folder in
            let first = try await chat(in: folder, Size(width: 80, height: 24))
            try await first.press("mine", "Enter")
            try await first.shows("mine ✓")
            // The same person in another terminal, before the edit is a draft that both have.
            let second = try await chat(in: folder, Size(width: 80, height: 24))
            try await first.press("Up")
            try await first.composer("edit: mine")
            try await second.press("Tab", "Tab", "G", "d")
            try await second.shows("▎ deleted")
            try await first.press(" changed", "Enter")
            try await first.wait(for: "The reason") { Self.words($0).contains("The message was deleted meanwhile") }
            try await first.press("M-x")
            try await first.composer("› mine changed")
        }
    }

    @Test func anotherConversationAndAnEditKeepWhatWasTyped() async throws {
        try await withTemporaryFolder { folder in
            try YapShell.fillChat(in: folder, messages: 1)
            let shell = try await chat(in: folder, Size(width: 80, height: 24))
            try await shell.press("to Bob", "M-Down")
            try await shell.composer("Write a message")
            try await shell.press("M-Up")
            try await shell.composer("› to Bob")
            // Editing the newest own message from the list of messages; afterwards the line is restored.
            try await shell.press("Enter")
            try await shell.shows("to Bob ✓")
            try await shell.press("draft")
            try await shell.composer("› draft")
            try await shell.press("BTab", "G", "e")
            try await shell.composer("edit: to Bob")
            try await shell.press("Escape")
            try await shell.composer("› draft")
        }
    }

    @Test func whatWasNotStoredAtTheEndIsToldByTheShell() async throws {
        try await withTemporaryFolder { folder in
            let shell = try await chat(in: folder, Size(width: 80, height: 24))
            let lock = try FileLock(folder.appending(path: "chat.sqlite"))
            try await shell.press("too late", "Enter")
            try await shell.shows("sending: too late")
            try await shell.press("C-c")
            // The path decides where the lines end.
            try await shell.wait(for: "What was not stored") { lines in
                let text = lines.joined().replacing(" ", with: "")
                return ["Notsent", "keptforthenextstart", "yap:toBob:toolate", "ended:12"].allSatisfy(text.contains)
            }
            try shell.expectCleanTerminal()
            try lock.release()
            let again = try await chat(in: folder, Size(width: 80, height: 24))
            try await again.shows("too late ✓", missing: "not sent")
        }
    }

    @Test func aFileThatIsHeldIsWaitedForAndCtrlCGivesUp() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "chat.sqlite")
            // A file that is new to the chat, so that the chat must write.
            let maker = try YapProcess(["import", Self.emptyExport(in: folder), file.path])
            #expect(maker.exitCode() == 0)
            let lock = try FileLock(file)
            let shell = try await YapShell("chat --db \(file.path)", width: 80)
            try shell.start()
            try await shell.shows("Opening chat.sqlite")
            try await shell.press("C-c")
            try await shell.expectEnd(exitCode: 130)
            try lock.release()
        }
    }

    private func chat(in folder: URL, _ size: Size) async throws -> YapShell {
        try await YapShell.chat(in: folder, width: size.width, height: size.height)
    }

    /// An export of a file that the library created and that has no rows.
    private static func emptyExport(in folder: URL) throws -> String {
        let lab = folder.appending(path: "empty.sqlite")
        try YapDatabase(url: lab).close()
        let export = folder.appending(path: "export").path
        let run = try YapRun(["export", "--to", export, lab.path])
        #expect(run.code == 0, "\(run.errors)")
        return export
    }

    private static func fill(_ file: URL) throws {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        for size in [65_536, 4096, 512, 1] {
            let bytes = [UInt8](repeating: 0, count: size)
            while write(descriptor, bytes, size) == size {}
        }
    }

    /// The words on the screen, without line breaks.
    private static func words(_ lines: [String]) -> String {
        lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    }
}
