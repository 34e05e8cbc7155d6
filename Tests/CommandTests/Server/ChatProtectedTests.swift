import Foundation
import LiveTable
import PostgreSQLTesting
import TerminalTesting
import Testing

@testable import ChatRoster

@testable import yap

/// The chat in a space that `yap server protect` protects: each person has a role and a host.
@Suite(.needsPostgreSQL, .serialized) struct ChatProtectedTests {
    private let server: PostgreSQLServer
    private let people = ["alice", "bob", "carol"]

    init() throws {
        server = try PostgreSQLServer()
        try command(["init", "--space", "chat"])
        for name in people {
            try server.shell("psql -q -h '\(server.folder.path)' -U postgres -c 'CREATE ROLE \(name) LOGIN'")
            try command(["grant", "--space", "chat", "--role", name, "--write", "--as", name])
        }
        try command(["protect", "--space", "chat"])
    }

    @Test func rulesNameTheChatsCollections() {
        let collections = [Chat.messages.name, Chat.seats.name, Chat.people.name, Chat.presence.name]
        #expect(chatRules.map(\.collection) == collections)
    }

    @Test func whatTwoSayGoesToTheirHostsAlone() throws {
        defer { server.stop() }
        try withTemporaryFolder { folder throws in
            for (name, other) in [
                ("alice", "bob"), ("bob", "alice"), ("carol", "alice"), ("alice", "#tea"), ("carol", "#tea"),
            ] {
                let run = try headless(folder, name, with: other)
                #expect(run.code == 0, "\(run.errors)")
            }
            for name in people { #expect(try headless(folder, name, with: name, rate: 0).code == 0) }
            for name in people {
                let (file, pair) = (file(folder, name), Conversation("alice", "bob").id)
                let chat = try ChatDatabase(url: URL(filePath: file), as: name, joins: false)
                try chat.database.newConnection().read { transaction throws in
                    let messages = try transaction[Chat.messages].values()
                    #expect(messages.contains { $0.conversation == pair } == (name != "carol"))
                    #expect(try transaction[Chat.seats].keys().contains { $0.hasSuffix(pair) } == (name != "carol"))
                    #expect(Set(messages.filter { $0.conversation == "#tea" }.map(\.author)) == ["alice", "carol"])
                    #expect(try transaction.roster(of: name).contains { $0.conversation == Conversation.note(name).id })
                }
                try chat.close()
                #expect(try YapRun(["check", file, "--server", server.address(user: name)]).code == 0)
                // Another role may read other rows: these are called so, and nothing tells to remove the file.
                let other = name == "carol" ? "alice" : "carol"
                let asOther = try YapRun(["check", file, "--server", server.address(user: other)])
                #expect(asOther.code == 1 && asOther.text.contains("follows as the role \"\(name)\""))
                #expect(!asOther.text.contains("remove the file"), "\(asOther.text)")
                // By SQL, carol sees her own conversations and rooms; alice sees hers.
                let seen = name == "carol" ? "= 0" : "> 0"
                try server.shell(
                    "psql -q -h '\(server.folder.path)' -U \(name) postgres -v ON_ERROR_STOP=1 -c "
                        + "'SELECT 1 / (count(*) \(seen))::int FROM yap.row WHERE position(convert_to($$\(pair)$$, $$UTF8$$) IN object) > 0'"
                )
            }
        }
    }

    /// An earlier release, which wrote what is unread into the seats of the others, had set its rules.
    @Test func aSpaceWithFormerRulesGoesOn() throws {
        defer { server.stop() }
        try withTemporaryFolder { folder throws in
            let rules = chatRules.map { rule in
                var rule = rule
                if rule.collection == "seats" { rule.shared = ["title", "standing", "status", "last", "unread"] }
                return rule
            }
            let path = folder.appending(path: "rules.json")
            try JSONEncoder().encode(rules).write(to: path)
            try command(["protect", "--space", "chat", "--rules", path.path])
            for (name, other) in [("alice", "bob"), ("bob", "alice"), ("alice", "#tea"), ("bob", "#tea")] {
                let run = try headless(folder, name, with: other)
                #expect(run.code == 0, "\(run.errors)")
            }
            let chat = try ChatDatabase(url: URL(filePath: file(folder, "bob")), as: "bob", joins: false)
            try chat.database.newConnection().read { transaction throws in
                let row = try transaction.roster(of: "bob").first { $0.title == "alice" }
                #expect(row?.newest != nil)
            }
            try chat.close()
        }
    }

    /// It would protect nothing.
    @Test func aRuleWithAMisspeltNameIsRefused() throws {
        defer { server.stop() }
        try withTemporaryFolder { folder throws in
            let path = folder.appending(path: "rules.json")
            try Data(#"[{"collection": "seats", "reader": "key"}]"#.utf8).write(to: path)
            for (rules, words) in [
                (path.path, "a rule has no \"reader\", but"), (path.path + "x", "cannot be read: No such"),
            ] {
                let run = try YapRun(["server", "protect", "--space", "chat", "--rules", rules, server.address()])
                #expect(run.code == 1 && run.errors.contains(rules) && run.errors.contains(words), "\(run.errors)")
            }
        }
    }

    @Test func noOneIsAnother() throws {
        defer { server.stop() }
        try withTemporaryFolder { folder throws in
            #expect(try headless(folder, "alice", with: "bob").code == 0)
            let run = try YapRun([
                "chat", "--db", file(folder, "carol"), "--as", "alice", "--with", "bob", "--headless", "--seconds", "1",
                "--rate", "2",
                "--server", server.address(user: "carol"),
            ])
            #expect(run.code == 1 && run.errors.contains("alice is not a name of the role carol"), "\(run.errors)")
        }
    }

    @Test func whatIsRefusedIsKeptWithTheReason() async throws {
        defer { server.stop() }
        try await withTemporaryFolder { folder in
            #expect(try headless(folder, "alice", with: "bob").code == 0)
            let shell = try await YapShell(
                "chat --db \(file(folder, "bob")) --as bob --with alice --server '\(server.address(user: "bob"))'",
                width: 120)
            try shell.start()
            try await shell.shows("alice 1", "›")
            try command(["revoke", "--space", "chat", "--role", "bob", "--as", "bob"])
            try await shell.press("still me", "Enter")
            try await shell.shows("not sent: still me", "the role bob may not write")
            try command(["grant", "--space", "chat", "--role", "bob", "--write", "--as", "bob"])
            try await shell.press("M-r")
            try await shell.shows("still me ✓", missing: "not sent")
            try await shell.press("C-c")
            try await shell.expectEnd(exitCode: 0)
        }
    }

    private func file(_ folder: URL, _ name: String) -> String { folder.appending(path: "\(name).sqlite").path }

    private func headless(_ folder: URL, _ name: String, with other: String, rate: Int = 2) throws -> YapRun {
        try YapRun([
            "chat", "--db", file(folder, name), "--as", name, "--with", other, "--headless", "--seconds", "1", "--rate",
            "\(rate)",
            "--server", server.address(user: name),
        ])
    }

    private func command(_ arguments: [String]) throws {
        let run = try YapRun(["server"] + arguments + [server.address()])
        #expect(run.code == 0 && run.errors == "", "\(run.errors)")
    }
}
