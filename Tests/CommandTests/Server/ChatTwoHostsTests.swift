import Foundation
import PostgreSQLTesting
import TerminalTesting
import Testing

/// The chat on two hosts: a terminal, a file and a network of its own each, and one server between them.
@Suite(.needsPostgreSQL, .enabled(if: Hosts.isPossible, "networks of their own need the superuser and ip"), .serialized)
struct ChatTwoHostsTests {
    @Test func twoHostsTalkThroughAKilledServerAndAPulledCable() async throws {
        try await withTemporaryFolder { folder in
            let hosts = try Hosts(["alice", "bob"])
            #expect(try YapRun(["server", "init", "--space", "chat", hosts.server.address()]).code == 0)
            let alice = try await chat(hosts, "alice", with: "bob", in: folder)
            let bob = try await chat(hosts, "bob", with: "alice", in: folder)
            try await alice.shows("bob ● available")

            try await alice.press("over the net", "Enter")
            try await bob.shows("over the net", "alice ● available")
            try await alice.shows("over the net ✓✓")
            try await bob.press("I am wri")
            try await alice.shows("bob is typing…")
            try await bob.press("ting", "Enter")
            try await alice.shows("I am writing", missing: "typing…")

            // The server dies: the text is at its place and waits, the history is there.
            try hosts.server.kill()
            try await alice.press("into the void", "Enter")
            try await alice.shows("into the void ○", "over the net ✓✓")
            try await alice.wait(for: "The state") { $0.joined().contains("offline") }
            try hosts.server.start()
            try await alice.wait(for: "The server again") { !$0.joined(separator: "\n").contains("offline since") }
            try await alice.shows("into the void ✓", missing: "into the void ○")
            try await bob.shows("into the void")

            // The cable of bob's host is pulled: nothing says so, and nothing waits for ever.
            try hosts.setConnected(false, "bob")
            try await alice.press("are you there?", "Enter")
            try await alice.shows("are you there? ✓")
            try await bob.press("from the dark", "Enter")
            try await bob.shows("from the dark ○")
            try hosts.setConnected(true, "bob")
            try await bob.shows("are you there?")
            try await bob.shows("from the dark ✓", missing: "from the dark ○")
            try await alice.shows("from the dark", "are you there? ✓✓")

            for shell in [alice, bob] {
                try await shell.press("C-c")
                try await shell.expectEnd(exitCode: 0)
            }
            // Everything once, and the same everywhere.
            var exports: [String] = []
            for (name, other) in [("alice", "bob"), ("bob", "alice")] {
                let file = file(name, folder)
                exports.append(try output(["chat", "export", "--json", "--with", other, "--as", name, "--db", file]))
                #expect(try check([file]).code == 0)
                #expect(try check([file, "--server", hosts.server.address()]).code == 0)
            }
            for text in ["over the net", "I am writing", "into the void", "are you there?", "from the dark"] {
                for export in exports {
                    #expect(export.components(separatedBy: text).count == 2, "\(text) in \(export)")
                }
            }
        }
    }

    private func chat(_ hosts: Hosts, _ name: String, with other: String, in folder: URL) async throws -> YapShell {
        let shell = try await YapShell(
            "chat --db \(file(name, folder)) --as \(name) --with \(other) --server '\(hosts.serverAddress(from: name))'",
            width: 100)
        try shell.start(environment: hosts.command(name))
        try await shell.composer("›")
        return shell
    }

    private func file(_ name: String, _ folder: URL) -> String { folder.appending(path: "\(name).sqlite").path }
}
