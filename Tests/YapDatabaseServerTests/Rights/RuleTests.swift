import Foundation
import PostgreSQLBridge
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

@Suite(.needsPostgreSQL) struct RuleTests {
    private let secret = Note(id: "1", author: "alice", members: "alice&bob", text: "secret")

    @Test func aRowIsItsOwnersAndGoesToItsReadersAlone() throws {
        try withScene { scene in
            let parties = try Parties(scene)
            try parties.save(secret, by: "alice")
            let open = Note(id: "2", author: "bob", members: "#all", text: "for everyone")
            try parties.save(open, by: "bob")
            for name in ["alice", "bob"] { #expect(try parties.seen(name) == ["1": secret, "2": open]) }
            #expect(try parties.seen("mallory") == ["2": open])

            // As another, into a conversation of others, over what is there.
            let forged = Note(id: "3", author: "alice", members: "#all")
            try parties.expectRefusal("may not write as \"alice\"", by: "mallory") { try $0[notes].save(forged) }
            let intruding = Note(id: "3", author: "mallory", members: "alice&bob")
            try parties.expectRefusal("only others may read", by: "mallory") { try $0[notes].save(intruding) }
            let over = Note(id: "1", author: "mallory", members: "mallory")
            try parties.expectRefusal("only others may read", by: "mallory") { try $0[notes].save(over) }
            try parties.expectRefusal("\"text\" of what is of \"bob\"", by: "mallory") {
                try $0[notes].update("2") { $0.text = "bob was here" }
            }
            try parties.expectRefusal("\"author\" of what is of \"bob\"", by: "mallory") {
                try $0[notes].update("2") { $0.author = "mallory" }
            }
            try parties.expectRefusal("may not remove what is of \"bob\"", by: "mallory") { try $0[notes].remove("2") }
            try parties.expectRefusal("only others may read (the collection", by: "mallory") {
                try $0.removeAllObjects(inCollection: notes.name)
            }
            try parties.expectRefusal("who reads", by: "alice") { try $0[notes].update("1") { $0.members = "#all" } }
            // The owner changes and removes.
            try parties.write("alice") { try $0[notes].update("1") { $0.text = "changed" } }
            #expect(try parties.seen("bob")["1"]?.text == "changed")
            try parties.write("alice") { try $0[notes].remove("1") }
            #expect(try parties.seen("bob") == ["2": open] && parties.seen("mallory") == ["2": open])
        }
    }

    @Test func othersAddAndRemoveTheirOwnNames() throws {
        try withScene { scene in
            let parties = try Parties(scene)
            var note = Note(id: "1", author: "alice", members: "#all", unseen: ["bob", "mallory"])
            note.likes = ["+": ["alice"]]
            try parties.save(note, by: "alice")
            _ = try parties.seen("bob")
            try parties.write("bob") { transaction throws in
                try transaction[notes].update("1") { $0.likes = ["+": ["alice", "bob"], "-": ["bob"]] }
                try transaction[notes].update("1") { $0.unseen = ["mallory"] }
            }
            _ = try parties.seen("mallory")
            let forgeries: [(inout Note) -> Void] = [
                { $0.likes = ["+": ["alice", "bob", "mallory"], "-": ["bob", "alice"]] }, { $0.likes = ["+": ["bob"]] },
                { $0.likes = nil }, { $0.unseen = ["mallory", "bob"] }, { $0.unseen = nil },
                { $0.unseen = ["mallory", "mallory"] }, { $0.likes?["x"] = [] },
            ]
            for forge in forgeries {
                try parties.expectRefusal("of what is of \"alice\"", by: "mallory") {
                    try $0[notes].update("1", forge)
                }
            }
            try parties.write("mallory") { try $0[notes].update("1") { $0.likes?["+"]?.append("mallory") } }
            // Bob is no longer in the list, and may not remove it; the last one may.
            _ = try parties.seen("bob")
            try parties.expectRefusal("may not remove", by: "bob") { try $0[notes].remove("1") }
            try parties.write("mallory") { try $0[notes].remove("1") }
            for name in ["alice", "bob"] { #expect(try parties.seen(name) == [:]) }
        }
    }

    /// The fields of two formats may be alike, and clients read the one only.
    @Test func theFormatOfWhatIsOfOthersStays() throws {
        try withScene { scene in
            let parties = try Parties(scene)
            let open = Note(id: "2", author: "bob", members: "#all", text: "for everyone")
            try parties.save(open, by: "bob")
            #expect(try parties.seen("mallory") == ["2": open])
            let bytes = try #require(
                try parties.hosts["bob"]?.storedRows()[RowKey(collection: notes.name, key: "2")]?[0])
            let isPropertyList = bytes.starts(with: Data("bplist00".utf8))
            let other =
                isPropertyList
                ? try JSONEncoder().encode(open)
                : try PropertyListSerialization.data(
                    fromPropertyList: JSONSerialization.jsonObject(with: bytes), format: .binary, options: 0)
            let push = """
                SELECT p.result FROM yap.space s JOIN yap.commit c ON c.space = s.id AND c.number = s.number, LATERAL yap.push(
                  s.id, s.number, c.id, gen_random_uuid(), 1, '{notes}', '{2}', '{1}', ARRAY[$1], '{NULL}') p
                WHERE s.name = '\(scene.space)'
                """
            #expect(try parties.sql("mallory", push, [.bytes(bytes)]) == [0], "the same bytes change nothing")
            let error = #expect(throws: PostgreSQLError.self) { try parties.sql("mallory", push, [.bytes(other)]) }
            #expect(error?.message.contains("\"format\" of what is of \"bob\"") == true)
            #expect(try parties.sql("bob", push, [.bytes(other)]) == [0])
        }
    }

    @Test func sqlByHandWritesAndReadsNoMore() throws {
        try withScene { scene in
            let parties = try Parties(scene)
            try parties.save(secret, by: "alice")
            let space = "(SELECT id FROM yap.space WHERE name = '\(scene.space)')"
            for (name, count) in [("alice", 1), ("bob", 1), ("mallory", 0)] {
                #expect(try parties.sql(name, "SELECT count(*) FROM yap.row WHERE space = \(space)") == [count])
                let names = try parties.sql(name, "SELECT count(*) FROM yap.participant WHERE space = \(space)")
                #expect(names == [1], "the own one")
            }
            let bytes = try #require(
                try parties.hosts["alice"]?.storedRows()[RowKey(collection: notes.name, key: "1")]?[0])
            func push(_ key: String, _ kind: Int, _ object: Data?, _ metadata: String = "NULL") -> Bool {
                let sql = """
                    SELECT p.result FROM yap.space s JOIN yap.commit c ON c.space = s.id AND c.number = s.number, LATERAL yap.push(
                      s.id, s.number, c.id, gen_random_uuid(), 1, '{notes}', ARRAY[convert_to('\(key)', 'UTF8')], '{\(kind)}', ARRAY[$1],
                      ARRAY[\(metadata)]::bytea[]) p
                    WHERE s.name = '\(scene.space)'
                    """
                return (try? parties.sql("mallory", sql, [object.map { .bytes($0) } ?? .null])) == [0]
            }
            func json(_ text: String) -> Data { Data(text.utf8) }
            let own = #""members":"mallory","id":"9""#
            // The row of others under another key, over itself, and removed.
            #expect(!push("9", 7, bytes) && !push("1", 7, bytes) && !push("1", 1, bytes) && !push("1", 8, nil))
            #expect(!push("1", 4, bytes) && !push("1", 16, nil) && !push("", 32, nil))
            // Names that two readers could take for different ones.
            for text in [
                #"{"author":"alice","author":"mallory",\#(own)}"#,
                #"{"author":"mallory","auth\u006fr":"alice",\#(own)}"#,
                #"{"author":["mallory"],\#(own)}"#, #"{"author":null,\#(own)}"#, "{\(own)}", #"["mallory"]"#, "x", "",
                #"{"author":"mallory","likes":{"+":["alice"],"+":[]},\#(own)}"#,
                #"{"author":"mallory","members":"alice&bob"}"#, #"{"author":"mallory","members":7}"#,
                #"{"author":"mallory ",\#(own)}"#, #"{"author":"MALLORY",\#(own)}"#,
            ] { #expect(!push("9", 7, json(text)), "\(text)") }
            #expect(push("9", 7, json(#"{"author":"mallory",\#(own)}"#)))
            for statement in [
                "UPDATE yap.rule SET owner = NULL", "DELETE FROM yap.rule",
                "INSERT INTO yap.participant SELECT id, 'alice', session_user FROM yap.space",
                "UPDATE yap.participant SET name = 'alice'", "DELETE FROM yap.participant",
                "SELECT yap.set_name('\(scene.space)', session_user::name, 'alice', true)",
                "SELECT yap.note_rights(\(space), NULL)",
                "SELECT yap.apply_rules(\(space))", "DROP TRIGGER guard ON yap.row", "DROP POLICY readers ON yap.row",
                "ALTER TABLE yap.row DISABLE TRIGGER guard", "SET session_replication_role = replica",
                "SET SESSION AUTHORIZATION postgres",
            ] {
                #expect(throws: PostgreSQLError.self, Comment(rawValue: statement)) {
                    try parties.sql("mallory", statement)
                }
            }
            #expect(try parties.seen("alice") == ["1": secret] && parties.seen("mallory") == [:])
        }
    }

    @Test func aSpaceGetsRulesLaterAndNamesComeAndGo() throws {
        try withScene { scene in
            let admin = try scene.administration()
            let parties = try Parties(scene, rule: YapDatabaseServerRule(collection: "other"))
            for (number, members) in ["alice&bob", "#all", "mallory"].enumerated() {
                try parties.save(Note(id: "\(number)", author: "alice", members: members), by: "alice")
            }
            try scene.sql().execute(
                """
                SELECT yap.push(s.id, s.number, c.id, gen_random_uuid(), 0, '{notes}', '{x}', '{7}', '{no note}', '{NULL}')
                FROM yap.space s JOIN yap.commit c ON c.space = s.id AND c.number = s.number WHERE s.name = '\(scene.space)'
                """, limits: AnswerLimits())
            #expect(try parties.seen("mallory").count == 3)
            #expect(try admin.setRules([Parties.rule], space: scene.space) == 1, "one row says of no readers")
            #expect(try parties.seen("mallory").keys.sorted() == ["1", "2"], "the rest is gone from the file")
            #expect(try parties.seen("bob").keys.sorted() == ["0", "1"])
            let found = try #require(try admin.spaces().first { $0.name == scene.space })
            #expect(found.ruledCollections == ["notes"])
            #expect(Set(found.names.map(\.name)) == ["alice", "bob", "mallory"])

            // A name has one role. One who gets it reads what the name may read, from the beginning on.
            let mallory = try #require(parties.roles["mallory"])
            let taken = #expect(throws: YapDatabaseServerError.self) {
                try admin.setName("bob", ofRole: mallory, space: scene.space)
            }
            #expect(taken?.code == .badSpace && taken?.message.contains("revoke it there first") == true)
            for _ in 0..<2 { try admin.setName("bob", ofRole: nil, space: scene.space) }
            #expect(try parties.seen("bob").keys.sorted() == ["1"])
            for _ in 0..<2 { try admin.setName("bob", ofRole: mallory, space: scene.space) }
            #expect(try parties.seen("mallory").keys.sorted() == ["0", "1", "2"])
            try parties.save(Note(id: "3", author: "bob", members: "alice&bob"), by: "mallory")
            #expect(try parties.seen("alice").keys.sorted() == ["0", "1", "3"])

            #expect(try admin.setRules([], space: scene.space) == 0)
            #expect(try parties.seen("bob").count == 4)
            try parties.save(Note(id: "4", author: "alice", members: ""), by: "mallory")
            for _ in 0..<2 { #expect(try admin.prepare(space: scene.space) == []) }
        }
    }

    @Test func aRuleIsJSONAsTheDocumentSays() throws {
        let text =
            #"[{"collection": "notes", "owner": "author", "readers": "members", "signed": ["likes"], "acknowledged": ["unseen"], "#
            + #""removal": "unseen"}, {"collection": "c", "owner": "/", "removal": "*"}]"#
        let rules = try JSONDecoder().decode([YapDatabaseServerRule].self, from: Data(text.utf8))
        #expect(rules[0] == Parties.rule && rules[1].owner == .key && rules[1].removal == .always)
        let again = try JSONDecoder().decode([YapDatabaseServerRule].self, from: JSONEncoder().encode(rules))
        #expect(again == rules)
    }

    /// An earlier release's `yap server init` replaces the functions that it knows.
    @Test func anotherPushChangesNothing() throws {
        try withScene { scene in
            let parties = try Parties(scene)
            try scene.sql().execute(SchemaStep.functions.map(\.sql).joined(separator: ";"), limits: AnswerLimits())
            try parties.expectRefusal("may not write as \"bob\"", by: "mallory") {
                try $0[notes].save(Note(id: "1", author: "bob", members: "#all"))
            }
            try parties.save(secret, by: "alice")
            #expect(try parties.seen("mallory") == [:])
        }
    }
}
