import Testing

@testable import TerminalScreen

@Suite struct TerminalFeaturesTests {
    @Test(arguments: [
        "kitty(0.26.5)", "iTerm2 3.4.20", "foot(1.13.1)", "alacritty", "tmux 3.4", "VTE(7600)",
    ])
    func terminalsThatHaveLinksAndKeepTheTitle(version: String) {
        let features = TerminalFeatures(version: version)
        #expect(features.hasLinks && features.hasTitleStack)
    }

    @Test(arguments: [
        "", "xterm", "xterm-256color", "256color", "linux", "screen", "tmux", "something 9.9", "VTE(4800)",
    ])
    func whatIsNotKnownIsOff(version: String) {
        #expect(TerminalFeatures(version: version) == TerminalFeatures())
    }

    @Test func anOlderTmuxHasNoLinks() {
        let features = TerminalFeatures(version: "tmux 3.3a")
        #expect(!features.hasLinks && features.hasTitleStack && features.losesJoiners)
        #expect(!TerminalFeatures(version: "tmux 3.5").losesJoiners)
    }

    @Test func notificationsHaveTwoForms() {
        #expect(TerminalFeatures(version: "kitty").notification == .text)
        #expect(TerminalFeatures(version: "WezTerm 20240203").notification == .titleAndText)
        #expect(TerminalFeatures(version: "XTerm(370)").notification == nil)
    }

    @Test func theEnvironmentNamesTheTerminal() {
        #expect(TerminalFeatures(environment: ["TERM": "xterm-kitty"]).hasLinks)
        #expect(TerminalFeatures(environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"]).hasLinks)
        #expect(
            TerminalFeatures(environment: ["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"]).notification == .text)
        #expect(TerminalFeatures(environment: ["TERM": "xterm-256color", "VTE_VERSION": "6800"]).hasTitleStack)
        #expect(TerminalFeatures(environment: ["TERM": "rxvt-unicode-256color"]).notification == .titleAndText)
        #expect(TerminalFeatures(environment: ["TERM": "xterm-256color"]) == TerminalFeatures())
    }

    /// Inside a multiplexer the variables describe the terminal around it.
    @Test(arguments: [("tmux-256color", "TMUX"), ("screen-256color", "STY")])
    func aMultiplexerIsNotTheTerminalAroundIt(type: String, variable: String) {
        let environment = ["TERM": type, variable: "x", "KITTY_WINDOW_ID": "1", "VTE_VERSION": "7600"]
        var features = TerminalFeatures(environment: environment)
        #expect(features.losesJoiners == (variable == "TMUX"), "its version is not known")
        features.losesJoiners = false
        #expect(features == TerminalFeatures())
    }

    @Test func anAnswerToXTVERSIONIsRead() {
        var parser = InputParser()
        #expect(parser.feed("\u{1B}P>|foot(1.16.2)\u{1B}\\x".utf8, at: 0) == [.key("x")])
        #expect(parser.version == "foot(1.16.2)")
        #expect(parser.feed("\u{1B}P1$r0m\u{1B}\\".utf8, at: 0) == [])
        #expect(parser.version == "foot(1.16.2)")
    }
}
