import Foundation
import LiveTable
import TestSupport
import Testing

@testable import ChatRoster

/// A chat whose file is moved away while it is open.
@MainActor @Suite struct RemovedFileTests {
    @Test func whoOnlyReadsIsToldAndGoesOnWhenItIsBack() async throws {
        try await withScreenChat { chat in
            let screen = try TestScreen(chat, with: "bob")
            // The first sign of life is written, and the next one is not due for a minute.
            try await screen.until("At rest") {
                screen.program.pulse.next.map { $0 > screen.program.now() + 30 } ?? false
            }
            let (file, other) = (chat.database.databaseURL.path, chat.database.databaseURL.path + "-moved")
            #expect(rename(file, other) == 0)
            try await screen.shows("the file is gone")
            screen.press(.key(.character("e"), .alt))
            #expect(screen.lines().contains { $0.contains("moved, removed or replaced") })
            screen.press(.key(.escape))
            screen.type("hello")
            screen.press(.key(.enter))
            try await screen.shows("not sent: hello")
            #expect(rename(other, file) == 0)
            try await screen.shows("the file is gone", false)
            try await screen.shows("▎ hello ✓")
            // Watched again.
            #expect(rename(file, other) == 0)
            try await screen.shows("the file is gone")
            #expect(rename(other, file) == 0)
            try await screen.shows("the file is gone", false)
        }
    }

    @Test func aFileThatIsReplacedIsGoneTooAndTheNewOneIsLeftAlone() async throws {
        try await withTemporaryFolder { folder in
            let (url, new) = (folder.appending(path: "chat.sqlite"), folder.appending(path: "new.sqlite"))
            try ChatDatabase(url: new, as: "bob").close()
            let content = try Data(contentsOf: new)
            let chat = try ChatDatabase(url: url, as: "alice")
            let screen = try TestScreen(chat, with: "bob")
            try await screen.shows("bob")
            #expect(rename(new.path, url.path) == 0)
            try await screen.shows("the file is gone")
            try? chat.close()
            #expect(try Data(contentsOf: url) == content)
        }
    }
}
