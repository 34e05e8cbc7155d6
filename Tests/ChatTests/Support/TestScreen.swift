import Foundation
import LiveTable
import TestSupport
import Testing

@testable import ChatRoster

/// Alice's chat on a screen without a terminal.
@MainActor final class TestScreen: ScreenHost {
    let chat: ChatDatabase
    let program: ChatScreen
    private(set) var hasQuit = false
    private(set) var copied: String?
    private(set) var bells = 0
    private(set) var notifications: [String] = []
    private(set) var title: String?

    init(
        _ chat: ChatDatabase, with other: String? = nil, width: Int = 80, height: Int = 24, theme: Theme = Theme(),
        motion: MotionLevel = .none
    ) throws {
        self.chat = chat
        var options = ChatOptions(url: chat.database.databaseURL, seed: 7, motion: motion, unicode: .safe)
        options.other = other
        if let other {
            try chat.write { try $0.open($0.conversation(named: other, by: chat.me), for: chat.me, at: Date()) }
        }
        program = try ChatScreen(
            chat: chat, options: options, keys: .standard, theme: theme, size: (width, height),
            now: EventLoop.monotonicSeconds)
    }

    func quit() { hasQuit = true }
    func toggleMouse() -> Bool { false }
    func copy(_ text: String) throws { copied = text }
    func ringBell() { bells += 1 }
    func setTitle(_ title: String?) { self.title = title }
    func notify(title: String, body: String) { notifications.append("\(title): \(body)") }
    /// The editor adds a line.
    func edit(_ text: String, done: @escaping (Result<String, EditorError>) -> Void) {
        done(.success(text + "\nedited"))
    }

    func press(_ events: InputEvent...) { for event in events { pass(.input(event), to: program) } }

    func type(_ text: String) { for character in text { press(.key(.character(character))) } }

    /// The lines of the next frame, without blanks at their ends.
    func lines() -> [String] {
        program.followCommits()
        return frame(of: program, at: EventLoop.monotonicSeconds()).lines
    }

    func grid() -> Grid {
        program.followCommits()
        return frame(of: program, at: EventLoop.monotonicSeconds())
    }

    /// Waits until the screen shows a text, or no longer shows it.
    func shows(_ text: String, _ isShown: Bool = true) async throws {
        try await until("\"\(text)\"") { lines().contains { $0.contains(text) } == isShown }
    }

    func until(_ what: String, _ condition: () throws -> Bool) async throws {
        let end = Date(timeIntervalSinceNow: 60)
        while try !condition() {
            // The chat goes on with each frame.
            _ = lines()
            guard Date() < end else {
                Issue.record("\(what) did not happen:\n\(lines().joined(separator: "\n"))")
                throw CancellationError()
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// Runs the body with a chat of alice, whose file is checked as a whole at the end.
@MainActor func withScreenChat(_ body: @MainActor (ChatDatabase) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
        let url = folder.appending(path: "chat.sqlite")
        let chat = try ChatDatabase(url: url, as: "alice")
        try await body(chat)
        try chat.close()
        #expect(try YapDatabase.check(url: url) == [])
    }
}
