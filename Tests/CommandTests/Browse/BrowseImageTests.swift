import Foundation
import SQLiteBridge
import TerminalTesting
import Testing

/// An image in the terminal: only in one that says that it shows images, and by a program that is installed.
@Suite struct BrowseImageTests {
    private static let image =
        "89504e470d0a1a0a0000000d4948445200000280000001e00806000000" + String(repeating: "00", count: 300)

    @Test func aTerminalThatShowsSixelsIsGivenTheImage() async throws {
        try await withImage { folder in
            let terminal = try await start(folder, chafa: true)
            // What terminals with sixels answer to DA1.
            terminal.send("\u{1B}[?62;4;22c")
            terminal.send("i")
            try await terminal.wait(for: "The image") { text(terminal).contains("SIXEL --format sixel") }
            #expect(!text(terminal).contains("book-000.png"))
            terminal.send("x")
            try await terminal.wait(for: "The browser again") {
                text(terminal).components(separatedBy: "SIXEL").last?.contains("481 rows") == true
            }
            terminal.send("q")
            #expect(try await terminal.waitForEnd() == .exited(0))
        }
    }

    /// Where the row has a pane of its own, the image is in that, beside the list, until the next key.
    @Test(arguments: ["sixel", "kitty"]) func besideTheListTheImageIsInTheRowsPane(format: String) async throws {
        try await withImage { folder in
            let isKitty = format == "kitty"
            let terminal = try await start(
                folder, chafa: true, width: 140, environment: isKitty ? ["KITTY_WINDOW_ID": "1"] : [:])
            if !isKitty { terminal.send("\u{1B}[?62;4;22c") }
            terminal.send("\ri")
            try await terminal.wait(for: "The image") {
                text(terminal).contains("SIXEL --format \(format)\u{1B}\\\u{1B}8")
            }
            let place = try #require(
                text(terminal).firstMatch(of: /\x{1B}7\x{1B}\[([0-9]+);([0-9]+)H\x{1B}PSIXEL/)?.output)
            #expect(Int(place.1)! > 1 && Int(place.2)! > 70)
            let shown = terminal.output.count
            // The next key does what it does, and nothing is left of the image.
            terminal.send("j")
            try await terminal.wait(for: "The row again") {
                let news = String(decoding: terminal.output[shown...], as: UTF8.self)
                return isKitty
                    ? news.contains("\u{1B}_Ga=d,q=2") : news.contains("481 rows") && news.contains("book-004")
            }
            terminal.send("q")
            #expect(try await terminal.waitForEnd() == .exited(0))
        }
    }

    /// No key, and nothing else, makes the screen show it.
    @Test func aProgramThatFailsLateIsSaidAtOnce() async throws {
        try await withImage { folder in
            let terminal = try await start(folder, chafa: true, script: "sleep 1; exit 1", width: 140)
            terminal.send("\u{1B}[?62;4;22c")
            terminal.send("\ri")
            try await terminal.wait(for: "The sentence") { text(terminal).contains("the image cannot be read") }
            terminal.send("q")
            #expect(try await terminal.waitForEnd() == .exited(0))
        }
    }

    /// Neither the next key nor the end of the browser leaves it behind, with what it has started.
    @Test(arguments: ["j", "q", "SIGTERM"]) func aProgramThatIgnoresSignalsIsEnded(cause: String) async throws {
        try await withImage { folder in
            let started = folder.appending(path: "started")
            let script = "trap '' TERM INT HUP; sleep 1000 & echo $$ $! >'\(started.path)'; wait"
            let terminal = try await start(folder, chafa: true, script: script, width: 140)
            terminal.send("\u{1B}[?62;4;22c")
            terminal.send("\ri")
            func processes() -> [Int32] {
                let text = (try? String(contentsOf: started, encoding: .utf8)) ?? ""
                return text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
            }
            try await terminal.wait(for: "The program") { processes().count == 2 }
            let running = processes()
            defer { for process in running where hasWords(process) { _ = kill(process, SIGKILL) } }
            if cause == "SIGTERM" { terminal.signal(SIGTERM) } else { terminal.send(cause) }
            try await terminal.wait(for: "Their end") { !running.contains(where: hasWords) }
            if cause == "j" { terminal.send("q") }
            #expect(try await terminal.waitForEnd() == .exited(cause == "SIGTERM" ? 143 : 0))
        }
    }

    /// Whether a process runs: one that has ended and is not yet waited for has no words.
    private func hasWords(_ process: Int32) -> Bool {
        (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8))?.isEmpty == false
    }

    @Test func withoutSuchATerminalKindAndSizeAreSaid() async throws {
        try await withImage { folder in
            let terminal = try await start(folder, chafa: true)
            terminal.send("i")
            try await terminal.wait(for: "The sentence") { text(terminal).contains("this terminal shows no images") }
            #expect(text(terminal).contains("PNG 640 × 480: "))
            terminal.send("q")
            #expect(try await terminal.waitForEnd() == .exited(0))
        }
    }

    @Test func withoutAProgramThatIsSaid() async throws {
        try await withImage { folder in
            let terminal = try await start(folder, chafa: false)
            terminal.send("\u{1B}[?62;4;22c")
            terminal.send("i")
            try await terminal.wait(for: "The sentence") { text(terminal).contains("install chafa") }
            terminal.send("q")
            #expect(try await terminal.waitForEnd() == .exited(0))
        }
    }

    private func start(
        _ folder: URL, chafa: Bool, script: String = "printf '\\033PSIXEL %s %s\\033\\\\\\n' $1 $2", width: Int = 80,
        environment: [String: String] = [:]
    ) async throws -> PseudoTerminal {
        // Without the system's own chafa.
        var path = folder.path
        if chafa {
            let program = folder.appending(path: "chafa").path
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: program))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            path += ":/usr/bin:/bin"
        }
        let terminal = try PseudoTerminal(
            [builtProduct("yap"), "browse", folder.appending(path: "books.sqlite").path],
            environment: ["TERM": "xterm-256color", "PATH": path, "LC_ALL": "C.UTF-8"].merging(environment) { $1 },
            width: width)
        try await terminal.wait(for: "The list") { text(terminal).contains("book-005") }
        return terminal
    }

    private func withImage(body: (URL) async throws -> Void) async throws {
        try await withCopy(of: "books") { file in
            let handle = try SQLiteHandle(path: file.path, mode: .readWrite)
            try handle.execute("UPDATE database2 SET data = x'\(Self.image)' WHERE key = 'book-000'")
            try await body(file.deletingLastPathComponent())
        }
    }

    private func text(_ terminal: PseudoTerminal) -> String { String(decoding: terminal.output, as: UTF8.self) }
}
