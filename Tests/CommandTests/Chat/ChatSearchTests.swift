import Testing

/// `/ n N` in the chat, at a terminal.
@Suite(.serialized) struct ChatSearchTests {
    @Test func aSearchGoesThroughTheWholeConversationAndBack() async throws {
        try await YapShell.withChat(messages: 400) { shell in
            // Far above the fifty messages that are shown initially.
            try shell.press("C-r")
            try shell.press("NUMBER 17 ")
            try await shell.wait(for: "The match, as one types") { selected($0).contains("number 17 of") }
            try shell.press("Enter")
            try await shell.hints("Tab")

            try shell.press("/", "7 of", "Enter")
            try await shell.wait(for: "The first match") { selected($0).contains("number 17 of") }
            try shell.press("n")
            try await shell.wait(for: "An older match") { selected($0).contains("number 7 of") }
            try shell.press("n")
            try await shell.wait(for: "Once around") { selected($0).contains("number 397 of") }
            try shell.press("N", "N")
            try await shell.wait(for: "Newer again") { selected($0).contains("number 17 of") }
            try shell.press("/", "nowhere")
            try await shell.hints("is not found")
            try shell.press("Escape")
            try await shell.hints("Tab")
            try await shell.wait(for: "What was before") { selected($0).contains("number 17 of") }
        }
    }

    @Test func aLongSearchSaysHowFarItIsAndEscStopsIt() async throws {
        try await YapShell.withChat(messages: 40_000) { shell in
            try shell.press("C-r")
            try shell.press("nowhere at all")
            try await shell.hints(" of 40,000 searched")
            try shell.press("Escape")
            // The composer gets keys again.
            try await shell.hints("Enter send")
            try shell.press("still here")
            try await shell.shows("› still here")
        }
    }

    @Test func theRosterIsSearchedForNamesAndWhatTheySay() async throws {
        try await YapShell.withChat(messages: 1) { shell in
            try shell.press("Tab")
            try shell.press("/", "gra")
            try await shell.wait(for: "The buddy") { $0.contains { $0.contains("▌") && $0.contains("Grace") } }
            try shell.press("Enter")
            try await shell.hints("write")
        }
    }

    /// Returns the text beside the selection's bar in the conversation.
    private func selected(_ lines: [String]) -> String {
        lines.filter { $0.contains("│▌") }.joined(separator: "\n")
    }
}
