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

    /// Both are cut off and write on, and one of them is killed. When the net is back, both have all lines once, in one order.
    @Test func twoHostsThatWereCutOffHaveAllLinesInOneOrder() async throws {
        try await withTemporaryFolder { folder in
            let hosts = try Hosts(["carol", "dan"])
            #expect(try YapRun(["server", "init", "--space", "chat", hosts.server.address()]).code == 0)
            let carol = try await chat(hosts, "carol", with: "#cut", in: folder)
            var dan = try await chat(hosts, "dan", with: "#cut", in: folder)
            try await carol.shows("dan joined")
            for name in ["carol", "dan"] { try hosts.setConnected(false, name) }
            for shell in [carol, dan] { try await isCutOff(shell) }
            let count = 20
            for number in 0..<count {
                try await carol.press("carol says \(number)", "Enter")
                try await dan.press("dan says \(number)", "Enter")
            }
            try await carol.shows("carol says \(count - 1) ○", missing: "dan says")
            try await dan.shows("dan says \(count - 1) ○", missing: "carol says")
            try await dan.kill()
            for name in ["carol", "dan"] { try hosts.setConnected(true, name) }
            dan = try await chat(hosts, "dan", with: "#cut", in: folder)
            for shell in [carol, dan] {
                try await shell.wait(for: "All lines") { lines in
                    !lines.contains { $0.contains(/says [0-9]+ ○/) }
                }
            }
            // Reading positions stand: the last lines of the screen, whose ever they are, were read by the other.
            for (name, shell) in [("carol", carol), ("dan", dan)] {
                try await shell.wait(for: "The other has read them") { lines in
                    lines.allSatisfy { !$0.contains("\(name) says \(count - 1)") || $0.contains("✓✓") }
                }
            }
            for shell in [carol, dan] {
                try await shell.press("C-r", "says")
                try await shell.shows("\(count * 2) found")
                try await shell.press("Escape", "C-c")
                try await shell.expectEnd(exitCode: 0)
            }
            let exports = try ["carol", "dan"].map { name in
                try output(["chat", "export", "--json", "--with", "#cut", "--as", name, "--db", file(name, folder)])
                    .matches(of: /"text":"((?:carol|dan) says [0-9]+)"/).map { String($0.1) }
            }
            #expect(exports[0] == exports[1] && exports[0].count == count * 2)
            for name in ["carol", "dan"] {
                #expect(exports[0].filter { $0.hasPrefix(name) } == (0..<count).map { "\(name) says \($0)" })
                #expect(try check([file(name, folder), "--server", hosts.server.address()]).code == 0)
            }
        }
    }

    /// A change of a message that was deleted meanwhile, by the same person on another host, is kept as a text that was not sent.
    @Test func aChangeOfADeletedMessageIsKept() async throws {
        try await withTemporaryFolder { folder in
            let hosts = try Hosts(["erin", "frank"])
            #expect(try YapRun(["server", "init", "--space", "chat", hosts.server.address()]).code == 0)
            let here = try await chat(hosts, "erin", with: "#edit", in: folder)
            try await here.press("first form", "Enter")
            try await here.shows("first form ✓")
            let there = try await chat(hosts, "frank", as: "erin", with: "#edit", in: folder)
            try await there.shows("first form ✓")
            try hosts.setConnected(false, "erin")
            try await isCutOff(here)
            try await here.press("Up")
            try await here.press(" and more", "Enter")
            try await here.shows("first form and more (edited) ○")
            try await there.press("Tab", "Tab", "End", "d")
            try await there.shows("Deleted", missing: "first form")
            try hosts.setConnected(true, "erin")
            try await here.shows("not sent: first form and more", "was deleted meanwhile")
            try await here.press("M-r")
            try await here.shows("first form and more ✓", missing: "not sent")
            for shell in [here, there] {
                try await shell.press("C-c")
                try await shell.expectEnd(exitCode: 0)
            }
        }
    }

    private func isCutOff(_ shell: YapShell) async throws {
        try await shell.wait(for: "It is cut off") { $0[0].contains("no answer") || $0[0].contains("offline") }
    }

    private func chat(
        _ hosts: Hosts, _ name: String, as person: String? = nil, with other: String, in folder: URL
    ) async throws -> YapShell {
        let shell = try await YapShell(
            "chat --db \(file(name, folder)) --as \(person ?? name) --with '\(other)' --server '\(hosts.serverAddress(from: name))'",
            width: 100)
        try shell.start(environment: hosts.command(name))
        try await shell.composer("›")
        return shell
    }

    private func file(_ name: String, _ folder: URL) -> String { folder.appending(path: "\(name).sqlite").path }
}
