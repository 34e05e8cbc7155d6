import Foundation
import TerminalTesting
import TestSupport
import Testing

/// Starting conditions of a screen: a locale, a limit, a name that no file can have.
@Suite struct ScreenStartTests {
    @Test(arguments: ["chat", "browse", "lab"]) func withoutUTF8OnlyASCIIIsWritten(screen: String) async throws {
        try await withTemporaryFolder { folder in
            let terminal = try start(
                screen, in: folder, environment: ["TERM": "vt100", "LC_ALL": "", "LC_CTYPE": "", "LANG": "C"])
            try await terminal.wait(for: "The screen") { text(terminal).contains("yap \(screen)") }
            terminal.send("\tj?")
            try await terminal.wait(for: "The help") { text(terminal).contains("Keys") }
            terminal.send("\u{3}")
            #expect(try await terminal.waitForEnd() == .exited(0))
            #expect(terminal.output.allSatisfy { $0 < 0x80 }, "\(text(terminal).filter { !$0.isASCII })")
        }
    }

    @Test(arguments: [
        String(repeating: "a", count: 200), "abcdefghijklmnopqrst", "\u{1B}[31m",
        "en_US.UTF-8@" + String(repeating: "x", count: 200),
    ])
    func aLocaleThatIsNoneEndsNothing(locale: String) async throws {
        for variable in ["LANG", "LC_ALL", "LC_MESSAGES"] {
            try await withTemporaryFolder { folder in
                let terminal = try start(
                    "chat", in: folder, environment: ["LC_ALL": ""].merging([variable: locale]) { $1 })
                try await terminal.wait(for: "The chat") {
                    text(terminal).contains("Enter") || terminal.end != nil
                }
                terminal.send("\u{3}")
                #expect(try await terminal.waitForEnd() == .exited(0))
            }
        }
    }

    @Test(arguments: ["chat", "browse", "lab"], Effort.some([8, 12, 16, 20, 23, 25, 27, 30, 32]))
    func aScreenSaysThatItHasTooFewDescriptors(screen: String, limit: Int) async throws {
        try await withTemporaryFolder { folder in
            let terminal = try start(screen, in: folder, limit: "ulimit -n \(limit)")
            #expect(try await terminal.waitForEnd() == .exited(1))
            #expect(text(terminal).contains("yap: The system lets this program open"), "\(text(terminal))")
        }
    }

    @Test(arguments: ["--replay", "--shrink"], [8, 12, 16]) func aLabWithoutAScreenSaysThatItHasTooFewDescriptors(
        option: String, limit: Int
    ) throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "s.jsonl")
            try Data(try output(["lab", "--gallery", "hi", "--json"]).utf8).write(to: file)
            let command = "ulimit -n \(limit); SWIFT_BACKTRACE=enable=no exec \"$0\" lab \(option) \(file.path)"
            let terminal = try PseudoTerminal(["/bin/sh", "-c", command, builtProduct("yap")])
            try waitUntil("It ends") { terminal.end != nil }
            #expect(terminal.end == .exited(1))
        }
    }

    @Test(arguments: ["chat --db", "lab --db", "lab", "browse"]) func aPipeIsNoFile(command: String) async throws {
        try await withTemporaryFolder { folder in
            let pipe = folder.appending(path: "pipe").path
            #expect(mkfifo(pipe, 0o600) == 0)
            let terminal = try PseudoTerminal(
                [builtProduct("yap")] + command.split(separator: " ").map(String.init) + [pipe])
            #expect(try await terminal.waitForEnd() == .exited(1))
            #expect(text(terminal).contains("not a regular file"), "\(text(terminal))")
        }
    }

    private func start(
        _ screen: String, in folder: URL, environment: [String: String] = [:], limit: String = ":"
    ) throws -> PseudoTerminal {
        let file = folder.appending(path: "file.sqlite").path
        if screen == "browse" {
            try FileManager.default.copyItem(at: originalFile("books"), to: URL(filePath: file))
        }
        let arguments = ["chat": "--as alice --db \(file)", "browse": file, "lab": ""][screen] ?? ""
        return try PseudoTerminal(
            ["/bin/sh", "-c", "\(limit); exec \"$0\" \(screen) \(arguments)", builtProduct("yap")],
            environment: environment)
    }

    private func text(_ terminal: PseudoTerminal) -> String { String(decoding: terminal.output, as: UTF8.self) }
}
