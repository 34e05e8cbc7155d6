import Foundation
import LiveTable
import TerminalTesting
import Testing

@testable import ChatRoster

/// `/ n N` in the chat, by a person at a terminal.
@Suite(.serialized) struct ChatSearchTests {
    @Test func aSearchGoesThroughTheWholeConversationAndBack() async throws {
        try await withTemporaryFolder { folder in
            try fill(folder, messages: 400)
            let shell = try ChatShell(folder)
            try await shell.startChat(in: folder, script: "none")
            // Far above the fifty messages that are shown at first.
            try shell.tmux.sendKeys("C-r")
            try shell.tmux.sendKeys("NUMBER 17 ")
            try await shell.tmux.wait(for: "The match, as one types") { selected($0).contains("number 17 of") }
            try shell.tmux.sendKeys("Enter")
            try await shell.tmux.wait(for: "The hints") { $0.last { !$0.isEmpty }?.contains("Tab") == true }

            try shell.tmux.sendKeys("/", "7 of", "Enter")
            try await shell.tmux.wait(for: "The first match") { selected($0).contains("number 17 of") }
            try shell.tmux.sendKeys("n")
            try await shell.tmux.wait(for: "An older match") { selected($0).contains("number 7 of") }
            try shell.tmux.sendKeys("n")
            try await shell.tmux.wait(for: "Once around") { selected($0).contains("number 397 of") }
            try shell.tmux.sendKeys("N", "N")
            try await shell.tmux.wait(for: "Newer again") { selected($0).contains("number 17 of") }
            try shell.tmux.sendKeys("/", "nowhere")
            try await shell.tmux.wait(for: "The end of a vain search") {
                $0.last { !$0.isEmpty }?.contains("is not found") == true
            }
            try shell.tmux.sendKeys("Escape")
            try await shell.tmux.wait(for: "What was before") {
                selected($0).contains("number 17 of") && $0.last { !$0.isEmpty }?.contains("Tab") == true
            }
        }
    }

    @Test func aLongSearchSaysHowFarItIsAndEscStopsIt() async throws {
        try await withTemporaryFolder { folder in
            try fill(folder, messages: 40_000)
            let shell = try ChatShell(folder)
            try await shell.startChat(in: folder, script: "none")
            try shell.tmux.sendKeys("C-r")
            try shell.tmux.sendKeys("nowhere at all")
            try await shell.tmux.wait(for: "The progress") {
                $0.last { !$0.isEmpty }?.contains(" of 40,000 searched") == true
            }
            try shell.tmux.sendKeys("Escape")
            try await shell.tmux.wait(for: "The line to write, which takes keys again") {
                $0.last { !$0.isEmpty }?.contains("Enter send") == true
            }
            try shell.tmux.sendKeys("still here")
            try await shell.tmux.wait(for: "What was typed") { $0.contains { $0.contains("› still here") } }
        }
    }

    @Test func theRosterIsSearchedForNamesAndWhatTheySay() async throws {
        try await withTemporaryFolder { folder in
            try fill(folder, messages: 1)
            let shell = try ChatShell(folder)
            try await shell.startChat(in: folder, script: "none")
            try shell.tmux.sendKeys("Tab")
            try shell.tmux.sendKeys("/", "gra")
            try await shell.tmux.wait(for: "The buddy") { $0.contains { $0.contains("▌") && $0.contains("Grace") } }
            try shell.tmux.sendKeys("Enter")
            try await shell.tmux.wait(for: "The hints") { $0.last { !$0.isEmpty }?.contains("write") == true }
        }
    }

    /// What stands beside the selection's bar in the conversation.
    private func selected(_ lines: [String]) -> String {
        lines.filter { $0.contains("│▌") }.joined(separator: "\n")
    }

    private func fill(_ folder: URL, messages: Int) throws {
        let chat = try ChatDatabase(url: folder.appending(path: "chat.sqlite"))
        let now = Date()
        let all = (0..<messages).map { number in
            Message(
                id: "\(number)", conversation: "bob", isMine: false, text: "number \(number) of \(messages)",
                date: now.addingTimeInterval(Double(number - messages)))
        }
        try chat.populate(Cast.buddies(now: now), all)
        try chat.close()
    }
}
