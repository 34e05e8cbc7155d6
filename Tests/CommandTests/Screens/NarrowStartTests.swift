import Foundation
import TerminalTesting
import Testing

/// Screens that are small from the beginning. Panes without room are followed nevertheless.
///
/// Each is watched for a while without a key, because a key would show a pane or clear a message, and then used.
/// `YAP_ATTACK_SECONDS=60` sets the duration of each.
@Suite(.serialized) struct NarrowStartTests {
    private static let seconds = ProcessInfo.processInfo.environment["YAP_ATTACK_SECONDS"].flatMap(Double.init)
    private static let sizes = Effort.some([(20, 6), (40, 12), (48, 24), (80, 24)])

    @Test(arguments: sizes) func noChangeSetOfTheChatIsAMisfit(width: Int, height: Int) async throws {
        try await withTemporaryFolder { folder in
            let shell = try await start(
                "chat --db \(folder.path)/chat.sqlite --seed 7 --demo --as alice --with Bob", width, height, shows: "›")
            // The script changes the roster within that time.
            try await watch(
                shell, idle: 8, keys: ["M-Down", "Tab", "j", "PageUp", "Tab", "G", "Tab", "M-Up", "hello", "Enter"])
        }
    }

    @Test(arguments: sizes) func noChangeSetOfTheBrowserIsAMisfit(width: Int, height: Int) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "chat.sqlite").path
            let writer = try PseudoTerminal([builtProduct("yap"), "chat", "--db", file, "--seed", "7", "--demo"])
            try await writer.wait(for: "The chat") {
                String(decoding: writer.output, as: UTF8.self).contains("AVAILABLE")
            }
            let shell = try await start("browse \(file)", width, height, shows: "people")
            try await watch(shell, keys: ["j", "Enter", "j", "G", "Tab", "Tab", "j", "j", "Enter", "h", "h", "k"])
            writer.send("\u{3}")
            #expect(try await writer.waitForEnd() == .exited(0))
        }
    }

    @Test(arguments: sizes) func noChangeSetOfTheLabIsAMisfit(width: Int, height: Int) async throws {
        let shell = try await start("lab --seed 7", width, height, shows: "k1")
        try await watch(
            shell,
            keys: ["s", "Tab", "j", "Right", "Tab", "j", "K", "u", "s", "d", "a", "Tab", "Escape", "v", "5s", "x"])
    }

    @Test func theRosterHasASelectionWhenItGetsTheFocus() async throws {
        try await withTemporaryFolder { folder in
            let shell = try await start(
                "chat --db \(folder.path)/chat.sqlite --as alice --with Bob", 40, 12, shows: "›")
            // Selects the next conversation while the roster is hidden.
            try await shell.press("M-Up", "Tab")
            try await shell.shows("▌✎ Notes")
            try await shell.press("j")
            try await shell.shows("▌○ Bob")
        }
    }

    private func start(_ command: String, _ width: Int, _ height: Int, shows text: String) async throws -> YapShell {
        let shell = try await YapShell(command, width: width, height: height)
        try shell.start()
        try await shell.shows(text)
        return shell
    }

    /// Watches the screen first without keys, then with keys.
    private func watch(_ shell: YapShell, idle: Double = 2, keys: [String]) async throws {
        let start = ContinuousClock.now
        let idle = Self.seconds.map { $0 / 2 } ?? idle
        let end = start + .seconds(Self.seconds ?? idle + 3)
        var index = 0
        while .now < end {
            if .now > start + .seconds(idle) {
                try await shell.press(keys[index % keys.count])
                index += 1
                // An open box would get the keys.
                if index.isMultiple(of: keys.count) { try await shell.press("Escape") }
            }
            // Time is the subject: the demo goes on for so many seconds, and the screen is looked at all along.
            try await Task.sleep(for: .milliseconds(60))
            let lines = try shell.tmux.lines()
            let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
            #expect(!words.contains("does not fit") && !words.contains("law is broken"), "\(words)")
            #expect(!words.contains("ended:"), "\(words)")
        }
        // The first one may clear a draft. If it ended the program, a second one might end the shell's line too.
        try await shell.press("C-c")
        if try !shell.tmux.lines().contains(where: { $0.contains("ended:") }) { try await shell.press("C-c") }
        try await shell.shows("ended: 0 2")
        try shell.expectCleanTerminal()
    }
}
