import Foundation
import TerminalTesting
import Testing

@testable import TerminalScreen

/// The bell, the title of the window, notifications.
@Suite struct NotificationTests {
    @Test func textsOfOtherPeopleControlNothing() {
        let sequence = NotificationSequence(level: .safe)
        let hostile = "a\u{07}\u{1B}]0;x\u{9C}b\u{202E};c\nd"
        for form in [TerminalFeatures.Notification.text, .titleAndText] {
            let bytes = sequence.notification(title: hostile, body: hostile, as: form)
            #expect(bytes.unicodeScalars.filter { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }.count == 2)
            #expect(bytes.hasSuffix("\u{07}") && !bytes.dropFirst().contains("\u{1B}"))
        }
        #expect(sequence.notification(title: "", body: "4;1;50", as: .text) == "\u{1B}]9; 4;1;50\u{07}")
        #expect(
            sequence.notification(title: "a;b", body: "c;d", as: .titleAndText) == "\u{1B}]777;notify;a,b;c;d\u{07}")
        #expect(NotificationSequence(level: .ascii).title("é✓") == "\u{1B}]2;ev\u{07}")
        #expect(sequence.title(String(repeating: "x", count: 5000)).utf8.count < 250)
    }

    @Test func aTerminalThatIsNotKnownGetsOnlyTheBell() async throws {
        let probe = try await ProbeRun()
        try await probe.send("o", expect: "notified: false")
        try await probe.send("pBn", expect: "key n")
        probe.terminal.send("q")
        _ = try await probe.terminal.waitForEnd()
        let written = String(decoding: probe.terminal.output, as: UTF8.self)
        #expect(written.contains("\u{07}"))
        #expect(
            !written.contains("\u{1B}]2;") && !written.contains("\u{1B}[22;2t") && !written.contains("\u{1B}[23;2t"))
    }

    @Test(arguments: ["q", "T", "P"]) func theTitleComesBack(key: String) async throws {
        let probe = try await ProbeRun(environment: ["TERM_PROGRAM": "iTerm.app"])
        try await probe.send("o", expect: "notified: true")
        try await probe.send("pn", expect: "key n")
        probe.terminal.send(key + "q")
        _ = try await probe.terminal.waitForEnd()
        let written = String(decoding: probe.terminal.output, as: UTF8.self)
        #expect(written.contains("\u{1B}]9;al;ice: hi␛\u{07}"))
        #expect(written.contains("\u{1B}[22;2t\u{1B}]2;pro␇be\u{07}"))
        #expect(written.components(separatedBy: "\u{1B}[23;2t").count == 2, "restored once")
    }

    @Test func aTerminalMayGiveItsNameLater() async throws {
        let probe = try await ProbeRun()
        try await probe.send("p", expect: "key p")
        probe.terminal.send("\u{1B}P>|kitty(0.30.0)\u{1B}\\")
        try await probe.terminal.wait(for: "The title") {
            String(decoding: probe.terminal.output, as: UTF8.self).contains("\u{1B}[22;2t\u{1B}]2;pro␇be\u{07}")
        }
    }

    /// Reads the title from tmux, not from our own interpretation of the bytes.
    @Test func aTerminalEmulatorAgrees() async throws {
        let log = try ProbeRun.newLog()
        defer { try? FileManager.default.removeItem(at: log) }
        let tmux = try TmuxSession(
            "printf '\\033]2;before\\007'; \(builtProduct("terminal-probe")) \(log.path); echo gone; sleep 1000")
        try await tmux.wait(for: "The first frame") { $0[0].hasPrefix("ready") }
        try tmux.sendKeys("p")
        try await tmux.wait(for: "The title") { _ in try tmux.format("#{pane_title}").hasPrefix("pro") }
        try tmux.sendKeys("q")
        try await tmux.wait(for: "The shell's next command") { $0.contains("gone") }
        try await tmux.wait(for: "The title before") { _ in try tmux.format("#{pane_title}") == "before" }
    }
}
