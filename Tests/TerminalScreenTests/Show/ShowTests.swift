import Foundation
import TerminalTesting
import TestSupport
import Testing

@testable import TerminalScreen

/// A real terminal emulator shows what the grid contains.
@Suite struct ShowTests {
    /// Text that is known to break terminals.
    private static let hostile = [
        "plain", "\u{1B}[2J\u{1B}[1;1Hescape", "\u{9B}31mred\u{90}dcs", "\u{1B}]0;title\u{07}",
        "bell\u{07}\u{08}\u{0D}back",
        "tab\tstop", "\u{202E}turned\u{202C} \u{2066}isolated\u{2069}", "zero\u{200B}width\u{200D}joined\u{FEFF}",
        "a" + String(repeating: "\u{301}", count: 10_000) + "b", "家族👨‍👩‍👧‍👦|👍🏽|❤️|🇩🇪|1️⃣|end",
        String(repeating: "long ", count: 200_000), "한국어 ไทย हिन्दी العربية עברית|", "\u{E000}private\u{10FFFF}|",
        "\u{2028}line\u{2029}|",
        "e\u{301}o\u{308}|", "\0nul\u{7F}del", "ｆｕｌｌ|", "\u{FFFD}|", "😀😀😀|", "soft\u{AD}hyphen|",
    ]

    @Test func hostileTextShowsAsTheGridSaysAndMovesNothing() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "yap-hostile-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        var bytes = Data(Self.hostile.joined(separator: "\n").utf8)
        bytes.append(contentsOf: [0x0A, 0xFF, 0xC3, 0x28, 0x7C])
        try bytes.write(to: file)
        try await expectSameLines(scene: "text=\(file.path)", frames: 1)
    }

    @Test(arguments: Effort.some([1, 2, 3] as [UInt64])) func anyRowOfFramesEndsWithTheLast(seed: UInt64) async throws {
        try await expectSameLines(scene: "random=\(seed * 1000)", frames: 12)
    }

    /// Eight colours have 63 pairs, which random cells use up.
    @Test(arguments: ["xterm", "linux", "vt100", "screen-256color"]) func poorerTerminalsShowTheSameText(type: String)
        async throws
    {
        try await expectSameLines(scene: "random=7000", frames: 6, type: type)
    }

    @Test(arguments: [(20, 5), (500, 200)]) func smallAndLargeTerminalsShowTheSame(width: Int, height: Int) async throws
    {
        try await expectSameLines(scene: "random=8000", frames: 3, width: width, height: height)
    }

    @Test func theCursorIsWhereTheGridSaysOrHidden() async throws {
        let log = try ProbeRun.newLog()
        defer { try? FileManager.default.removeItem(at: log) }
        let tmux = try TmuxSession("\(builtProduct("terminal-probe")) \(log.path)")
        let state = "#{cursor_flag} #{cursor_x},#{cursor_y}"
        try await tmux.wait(for: "The first frame") { $0[0].hasPrefix("ready") }
        #expect(try tmux.format("#{cursor_flag}") == "0")
        // Behind the last event. tmux may tell of the focus first.
        for key in ["c", "x"] {
            try tmux.sendKeys(key)
            try await tmux.wait(for: "The cursor after the \(key)") { rows in
                guard let row = rows.firstIndex(where: { $0.hasPrefix("key \(key)") }) else { return false }
                return try tmux.format(state) == "1 5,\(row)"
            }
        }
        try tmux.sendKeys("c")
        try await tmux.wait(for: "No cursor") { _ in try tmux.format("#{cursor_flag}") == "0" }
    }

    @Test func noControlByteOfHostileTextReachesTheTerminal() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "yap-hostile-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(Self.hostile.joined(separator: "\n").utf8).write(to: file)
        let probe = try await ProbeRun("text=\(file.path)")
        try await probe.terminal.wait(for: "The last line") {
            String(decoding: probe.terminal.output, as: UTF8.self).contains("hyphen|")
        }
        // Our only such sequence asks for the background.
        let written = String(decoding: probe.terminal.output, as: UTF8.self)
            .replacing("\u{1B}]11;?\u{1B}\\", with: "").replacing(WholePictures.question, with: "")
        #expect(!written.contains("\u{1B}]"))
        #expect(!written.contains("\u{07}"))
        let controls = written.unicodeScalars.filter {
            (0x7F..<0xA0).contains($0.value) || (0x200B...0x200F).contains($0.value)
        }
        #expect(controls.isEmpty)
    }

    /// The answers are the columns of the cursor behind the samples.
    @Test(arguments: [
        ([3, 3, 3, 3, 3], [true, true, true]), ([3, 5, 5, 2, 1], [true, false, false]),
        ([9, 3, 5, 3, 3], [false, true, false]), ([9, 5, 3, 2, 1], [false, false, true]),
    ])
    func picturesAreWholeWhereTheTerminalMeasuresThemSo(columns: [Int], isWhole: [Bool]) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "yap-pictures-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let pictures = ["👨‍👩‍👧‍👦", "🇩🇪", "👍🏽"]
        try Data((pictures.joined(separator: "|") + "|").utf8).write(to: file)
        let probe = try await ProbeRun("text=\(file.path)")
        func written() -> String {
            String(decoding: probe.terminal.output, as: UTF8.self).replacing(WholePictures.question, with: "")
        }
        // Before the answers.
        try await probe.terminal.wait(for: "The line") { written().contains("👨|DE|👍|") }
        #expect(pictures.allSatisfy { !written().contains($0) })
        probe.terminal.send(columns.map { "\u{1B}[2;\($0)R" }.joined())
        try await probe.send("x", expect: "key x")
        try await probe.terminal.wait(for: "Those that are measured right") {
            pictures.map { written().contains($0) } == isWhole
        }
        #expect(probe.events.allSatisfy { !$0.hasPrefix("key function") })
    }

    @Test func oneChangedRowCostsAtMost300Bytes() async throws {
        let probe = try await ProbeRun("rows", width: 200, height: 50)
        try await probe.terminal.wait(for: "The first frame") {
            String(decoding: probe.terminal.output, as: UTF8.self).contains("49 row")
        }
        // A frame is written completely before the next key is read.
        try await probe.send("a", expect: "key a")
        for step in 1...5 {
            let before = probe.terminal.output.count
            probe.terminal.send("n")
            try await probe.terminal.wait(for: "Frame \(step)") { probe.terminal.output.count > before }
            try await probe.send("\(step)", expect: "key \(step)")
            #expect(probe.terminal.output.count - before <= 300)
        }
    }

    @Test func whatDoesNotChangeIsNotWritten() async throws {
        let probe = try await ProbeRun("rows")
        try await probe.terminal.wait(for: "The first frame") {
            String(decoding: probe.terminal.output, as: UTF8.self).contains("23 row")
        }
        // A frame is written completely before the next key is read.
        try await probe.send("a", expect: "key a")
        let before = probe.terminal.output.count
        try await probe.send("b", expect: "key b")
        try await probe.send("x", expect: "key x")
        #expect(probe.terminal.output.count == before)
    }

    /// Draws a scene in tmux and compares its screen with the lines of the last frame in the probe's log.
    private func expectSameLines(
        scene: String, frames: Int, width: Int = 80, height: Int = 24, type: String = "tmux-256color"
    ) async throws {
        let log = try ProbeRun.newLog()
        defer { try? FileManager.default.removeItem(at: log) }
        let command = "TERM=\(type) \(try builtProduct("terminal-probe")) \(log.path) \(scene)"
        let tmux = try TmuxSession(command, width: width, height: height)
        for frame in 0..<frames {
            // The log of a large frame comes in pieces.
            try await tmux.wait(for: "Frame \(frame)") { _ in
                let lines = String(decoding: try Data(contentsOf: log), as: UTF8.self).components(separatedBy: "\n")
                // The last part is what follows the last line.
                return lines.lastIndex(of: "frame \(frame)").map { lines.count - 1 - $0 > height } ?? false
            }
            let expected = try expectedLines(in: log, height: height)
            try await tmux.wait(for: "Frame \(frame), which is\n\(expected.joined(separator: "\n"))\nand") {
                $0.prefix(height).map { self.trimmed(self.reduced($0)) } == expected
            }
            try tmux.sendKeys("n")
        }
    }

    private func expectedLines(in log: URL, height: Int) throws -> [String] {
        let text = String(decoding: try Data(contentsOf: log), as: UTF8.self)
        let lines = text.components(separatedBy: "\n")
        let frame = try #require(lines.lastIndex { $0.hasPrefix("frame ") })
        return lines[(frame + 1)...].prefix(height).map { trimmed(reduced($0)) }
    }

    /// Pictures as they are drawn where the terminal is not known to draw them whole, in as many columns.
    private func reduced(_ line: String) -> String {
        line.map { character in
            let scalars = character.unicodeScalars
            let letters = scalars.filter { (0x1F1E6...0x1F1FF).contains($0.value) }
            if letters.count == 2 {
                return String(String.UnicodeScalarView(letters.map { Unicode.Scalar($0.value - 0x1F1E6 + 0x41)! }))
            }
            let isPicture = scalars.contains { $0 == "\u{200D}" || (0x1F3FB...0x1F3FF).contains($0.value) }
            if isPicture { return scalars.first.map { String($0) } ?? "" }
            return scalars.last == "\u{FE0F}" ? String(scalars.dropLast()) + " " : String(character)
        }.joined()
    }

    private func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
